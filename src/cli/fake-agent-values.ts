import { delayMsMax } from "../domain/durations.ts"
import type { ExtraLine, FakeAct, FakeRule, TurnStep } from "../harness/fake-agent/script.ts"
import { list } from "../inference/scenario-words.ts"
import { customMethod } from "../wire/acp/custom-method.ts"
import type { OptionReading } from "./option-table.ts"

type Reader<A> = (text: string) => OptionReading<A>
type Place = Pick<FakeRule, "method" | "call" | "afterChunks">

const placeAdvice = "METHOD, METHOD#N for its Nth call, or session/prompt@N for behind N chunks of the answer"

/** Which call is meant: a method, `#` and which one of its calls, `@` and after how many chunks. */
const placeOf = (text: string): OptionReading<Place> => {
  const parts = /^(\*|[^\s#@=]+)(?:#([1-9]\d{0,8}))?(?:@(\d{1,9}))?$/.exec(text)
  const [, method = "", call, chunks] = parts ?? []
  const isGood = parts !== null && (chunks === undefined || method === "session/prompt")
  if (!isGood) return { problem: `is for ${JSON.stringify(text)}; give ${placeAdvice}` }
  return {
    value: {
      method,
      call: call === undefined ? null : Number(call),
      afterChunks: chunks === undefined ? null : Number(chunks)
    }
  }
}

/** A rule that needs no value. */
export const ruleFor =
  (does: FakeAct): Reader<FakeRule> =>
  (text) => {
    const place = placeOf(text)
    return "value" in place ? { value: { ...place.value, does } } : place
  }

/** A rule as `METHOD=VALUE`. */
export const ruleWith =
  (read: (value: string) => FakeAct | null, example: string): Reader<FakeRule> =>
  (text) => {
    const at = text.indexOf("=")
    const does = at < 0 ? null : read(text.slice(at + 1))
    if (does === null) return { problem: `is ${JSON.stringify(text)}; give ${placeAdvice}, then =, as in ${example}` }
    return ruleFor(does)(text.slice(0, at))
  }

const wholeUpTo = (text: string, most: number): number | null =>
  /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : null

export const delayAct = (value: string): FakeAct | null => {
  const ms = wholeUpTo(value, delayMsMax)
  return ms === null ? null : { kind: "delay", ms }
}

export const exitAct = (value: string): FakeAct | null => {
  const code = wholeUpTo(value, 255)
  return code === null ? null : { kind: "exit", code }
}

export const crashAct = (value: string): FakeAct | null =>
  /^SIG[A-Z0-9]+$/.test(value) ? { kind: "crash", signal: value } : null

/** `CODE:MESSAGE` */
export const errorAct = (value: string): FakeAct | null => {
  const [, code = "", message = ""] = /^(-?\d{1,9}):([\s\S]*)$/.exec(value) ?? []
  return code === "" ? null : { kind: "error", code: Number(code), message }
}

/** `SIGSEGV` and the like. */
export const signalName: Reader<string> = (text) =>
  crashAct(text) === null
    ? { problem: `is ${JSON.stringify(text)}; give the name of a signal, as in SIGSEGV` }
    : { value: text }

/** `before=TEXT` or `after=TEXT`. */
export const extraLine: Reader<ExtraLine> = (text) => {
  const [, at, line = ""] = /^(before|after)=([\s\S]*)$/.exec(text) ?? []
  return at === "before" || at === "after"
    ? { value: { at, text: line } }
    : { problem: `is ${JSON.stringify(text)}; give before=TEXT or after=TEXT` }
}

/** Words with commas between them; none for an empty text. */
export const words: Reader<ReadonlyArray<string>> = (text) => {
  const found = text === "" ? [] : text.split(",")
  return found.every((word) => word.trim() !== "")
    ? { value: found }
    : { problem: `is ${JSON.stringify(text)}; give names with commas between them` }
}

/** Any text, none too. */
export const anyText: Reader<string> = (text) => ({ value: text })

const shapes = {
  bare: (method: string): TurnStep => ({ kind: "notify", method, params: {} }),
  prefixed: (method: string): TurnStep => ({ kind: "notify", method: customMethod(method), params: {} }),
  wrapped: (method: string): TurnStep => ({
    kind: "notify",
    method: customMethod(method),
    params: { method, params: {} }
  })
}

/** A notification outside the protocol as `SHAPE=METHOD`, the method without underscore. */
export const extNotification: Reader<TurnStep> = (text) => {
  const at = text.indexOf("=")
  const method = text.slice(at + 1)
  const shape = Object.entries(shapes).find(([name]) => name === text.slice(0, Math.max(0, at)))
  return shape === undefined || method.trim() === ""
    ? { problem: `is ${JSON.stringify(text)}; give ${list(Object.keys(shapes), "or")}, then =METHOD` }
    : { value: shape[1](method) }
}

const permissionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"]
const optionIds = "abcdefghijklmnopqrstuvwxyz"

/** A request for permission; its options have these kinds and the ids a, b, c. */
export const permissionAsk: Reader<TurnStep> = (text) => {
  const kinds = words(text)
  if ("problem" in kinds) return kinds
  const unknown = kinds.value.find((kind) => !permissionKinds.includes(kind))
  if (unknown !== undefined || kinds.value.length > optionIds.length) {
    return {
      problem: `is ${JSON.stringify(text)}; give up to 26 of ${list(permissionKinds)}, with commas between them`
    }
  }
  const options = kinds.value.map((kind, index) => ({ optionId: optionIds.charAt(index), name: kind, kind }))
  const toolCall = { toolCallId: "fake-call", title: "do something", kind: "execute", status: "pending" }
  return { value: ask("session/request_permission", { sessionId: "{sessionId}", toolCall, options }) }
}

/** A request for the text of a file. */
export const fileAsk: Reader<TurnStep> = (path) => ({
  value: ask("fs/read_text_file", { sessionId: "{sessionId}", path })
})

/** A command of the shell that the client is to run. */
export const terminalUse: Reader<TurnStep> = (command) => ({ value: { kind: "terminal", command } })

/** A request outside the protocol; the method without underscore. */
export const extAsk: Reader<TurnStep> = (method) =>
  method.trim() === ""
    ? { problem: "is empty; give a method, as in x.ai/question" }
    : { value: ask(customMethod(method), { sessionId: "{sessionId}" }) }

/** An update of a kind that the protocol may not know. */
export const updateOf: Reader<TurnStep> = (kind) => ({ value: { kind: "update", update: { sessionUpdate: kind } } })

const ask = (method: string, params: (TurnStep & { readonly kind: "ask" })["params"]): TurnStep => ({
  kind: "ask",
  method,
  params,
  id: null,
  waits: true
})
