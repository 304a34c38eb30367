import type { FaultFormat, Voice } from "../voice.ts"
import { providerChatVoice } from "./provider-chat-voice.ts"
import { providerMessagesVoice } from "./provider-messages-voice.ts"
import { providerResponsesVoice } from "./provider-responses-voice.ts"
import type { ProviderTerms } from "./provider-terms.ts"

/**
 * A format as its provider speaks it, with the bytes that the inference server writes for its own answers.
 *
 * **Source** wire-formats.md, sections 2A to 2D
 *
 * @since 0.1.0
 * @category constructors
 */
export const providerVoice = (format: FaultFormat, terms: ProviderTerms): Voice => voices[format](terms)

const voices: Readonly<Record<FaultFormat, (terms: ProviderTerms) => Voice>> = {
  chat: providerChatVoice,
  responses: providerResponsesVoice,
  messages: providerMessagesVoice
}
