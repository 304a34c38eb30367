import { isRecord } from "../../domain/json.ts"
import { memberToken, withMemberToken } from "../../wire/acp/member-token.ts"
import { redacted } from "../diagnostics/sandbox-summary.ts"
import { hiddenValues, sanitisedOutput } from "../diagnostics/sanitised-output.ts"
import { isSecretName } from "../diagnostics/secret-names.ts"
import type { TextMap } from "../profile/agent-profile.ts"

/**
 * What of a line of the wire may be kept: hidden values, the values of members that are named like secrets, and those of pairs
 * of `name` and `value` that are, are replaced. A line stays the message that it is, its id as it was written; one that is no
 * message is treated like other output.
 *
 * **Takes** the variables that the agent was started with
 *
 * @since 0.1.0
 * @category encoding
 */
export const redactedWireLine = (variables: TextMap): ((text: string) => string) => {
  const hidden = hiddenValues(variables)
  return (text) => {
    const value = parsed(text)
    const line = isRecord(value) ? keptMessage(text, { value, hidden }) : text
    // A value may also be a part of what no member holds.
    return isRecord(value) && !hidden.some((one) => line.includes(one)) ? line : sanitisedOutput(line, hidden)
  }
}

const keptMessage = (
  text: string,
  { value, hidden }: { readonly value: Readonly<Record<string, unknown>>; readonly hidden: ReadonlyArray<string> }
): string => {
  const kept = JSON.stringify(withoutSecrets(value, hidden))
  if (kept === JSON.stringify(value)) return text
  const id = memberToken(text, "id")
  return id === null || id.startsWith('"') ? kept : withMemberToken(kept, "id", id)
}

const withoutValues = (text: string, hidden: ReadonlyArray<string>): string =>
  hidden.reduce((rest, secret) => rest.replaceAll(secret, redacted), text)

const withoutSecrets = (value: unknown, hidden: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return withoutValues(value, hidden)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, hidden))
  if (!isRecord(value)) return value
  const { name } = value
  const isSecretPair = typeof name === "string" && isSecretName(spaced(name)) && Object.hasOwn(value, "value")
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isSecret = isSecretName(spaced(key)) || (isSecretPair && key === "value")
      const kept = isSecret && isScalar(item) ? redacted : withoutSecrets(item, hidden)
      return [withoutValues(key, hidden), kept]
    })
  )
}

/** A secret of one word. What is deeper is looked at by itself. */
const isScalar = (value: unknown): boolean => typeof value === "string"

/** `apiKey` in the words of a variable; the ids of sessions are none of those. */
const spaced = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/session/gi, "")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
