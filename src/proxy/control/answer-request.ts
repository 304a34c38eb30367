import { isErrorLike, thrownText } from "../../domain/error-like.ts"
import { openObject, orNull, type Read, readWhole, refuse } from "../../domain/field-readers.ts"
import { describe, isRecord, parseJson } from "../../domain/json.ts"
import { suggestion } from "../../domain/spelling.ts"
import { controlActs } from "./control-acts.ts"
import {
  type ControlCommandName,
  type ControlMember,
  controlCommandNames,
  controlCommands,
  isControlCommand
} from "./control-commands.ts"
import type { ControlDesk } from "./control-desk.ts"

/** What identifies a request to the one who asked. */
type RequestId = string | number

/**
 * An answer to a request, with its `id` where it had one.
 *
 * @since 0.1.0
 * @category models
 */
export type ControlAnswer = { readonly id?: RequestId } & (
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: string }
)

/** A longer id is refused, as every answer repeats it. */
const idLengthMax = 200

const readId: Read<RequestId> = (value, at) => {
  if (typeof value === "string" && value.length <= idLengthMax) return value
  if (typeof value === "number" && Number.isFinite(value)) return value
  return refuse(at, `is ${describe(value)}; use a number, or a text of at most ${idLengthMax} characters`)
}

const readCommand: Read<ControlCommandName> = (value, at) => {
  if (isControlCommand(value)) return value
  const known = `; use one of ${controlCommandNames.join(", ")}`
  if (value === undefined) return refuse(at, `is missing${known}`)
  return refuse(
    at,
    `is ${describe(value)}${(typeof value === "string" && suggestion(value, controlCommandNames)) || known}`
  )
}

/**
 * Carries out a request, which is a line of JSON.
 *
 * **Gives** the answer: at once, or, of a command that waits, when there is one
 * **Fails** never; a request that cannot be carried out says so
 *
 * @since 0.1.0
 * @category running
 */
export const answerRequest = (line: Uint8Array, desk: ControlDesk): ControlAnswer | Promise<ControlAnswer> => {
  const parsed = parseJson(line)
  if (!parsed.ok) return { ok: false, error: `the request is no JSON: ${parsed.reason}` }
  const { value } = parsed.body
  const asked = isRecord(value) ? value["id"] : undefined
  try {
    const id = orNull(readId)(asked, "id")
    const labelled = (answer: ControlAnswer): ControlAnswer => (id === null ? answer : { id, ...answer })
    const done = (result: unknown): ControlAnswer => labelled({ ok: true, result })
    const failed = (error: unknown): ControlAnswer => labelled({ ok: false, error: reasonOf(error) })
    try {
      const result = readRequest(desk)(value)
      return result instanceof Promise ? result.then(done, failed) : done(result)
    } catch (error) {
      return failed(error)
    }
  } catch (error) {
    return { ok: false, error: reasonOf(error) }
  }
}

const reasonOf = (error: unknown): string => (isErrorLike(error) ? error.message : thrownText(error))

const readRequest = (desk: ControlDesk): ((value: unknown) => unknown) =>
  readWhole(
    (value) => {
      if (!isRecord(value)) return refuse("", `is ${describe(value)}; use an object with command, and what it needs`)
      const command = readCommand(value["command"], "command")
      const members: ReadonlyArray<ControlMember> = controlCommands[command].members
      return controlActs[command](desk, openObject(value, "", ["command", "id", ...members.map(({ name }) => name)]))
    },
    "request",
    (message) => new Error(message)
  )
