import type { FaultFormat, Voice } from "../voice.ts"
import { faultChatVoice } from "./fault-chat-voice.ts"
import { faultMessagesVoice } from "./fault-messages-voice.ts"
import { faultResponsesVoice } from "./fault-responses-voice.ts"
import type { FaultTerms } from "./fault-terms.ts"

/**
 * The fault server's dialect of a format, byte for byte.
 *
 * **Source** fault-server.md, sections 1 and 9.4
 *
 * @since 0.1.0
 * @category constructors
 */
export const faultVoice = (format: FaultFormat, terms: FaultTerms): Voice => voices[format](terms)

const voices: Readonly<Record<FaultFormat, (terms: FaultTerms) => Voice>> = {
  chat: faultChatVoice,
  responses: faultResponsesVoice,
  messages: faultMessagesVoice
}
