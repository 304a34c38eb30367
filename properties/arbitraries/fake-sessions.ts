import fc from "fast-check"

/** What a client does in a session with a fake agent; the id of a request is written as `id`. */
export type ClientAct =
  | { readonly kind: "request"; readonly id: string; readonly method: string; readonly params: unknown }
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "wait"; readonly ms: number }

export interface FakeSession {
  readonly script: unknown
  readonly acts: ReadonlyArray<ClientAct>
  readonly endsInput: boolean
}

const idTokens = ["0", "1", "2", "-7", "1e2", "9007199254740993", '"1"', '"A"', '"a"', '"\\u00e9"', '"9B-x"', "0.5"]

const methods = ["initialize", "session/list", "session/prompt", "session/load", "session/fly", "_x.ai/info"]
const inSession = { sessionId: "session-1", prompt: [{ type: "text", text: "héllo" }] }

const rule = fc.record({
  method: fc.constantFrom(...methods, "session/cancel"),
  call: fc.option(fc.integer({ min: 1, max: 2 })),
  does: fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("delay"), ms: fc.nat({ max: 30 }) }) },
    { weight: 2, arbitrary: fc.constantFrom({ kind: "silent" }, { kind: "error", code: -1, message: "no" }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: "exit", code: 3 }, { kind: "crash", signal: "SIGABRT" }) }
  )
})

const step = fc.constantFrom(
  { kind: "notify", method: "_x.ai/foo" },
  { kind: "ask", method: "session/request_permission" },
  { kind: "ask", method: "fs/read_text_file", waits: false },
  { kind: "line", text: "npm warn" },
  { kind: "line", text: "" }
)

const script = fc.record({
  rules: fc.array(rule, { maxLength: 3 }),
  turn: fc.array(step, { maxLength: 3 }),
  chunks: fc.option(fc.integer({ min: 1, max: 4 })),
  chunkBytes: fc.option(fc.integer({ min: 20, max: 90 })),
  oneWrite: fc.boolean(),
  responses: fc.record({
    duplicate: fc.boolean(),
    outOfOrder: fc.constantFrom(null, "session/prompt"),
    extraLines: fc.constantFrom([], [{ at: "before", text: '{"broken' }])
  })
})

const otherLine = fc.constantFrom(
  '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"session-1"}}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}',
  "garbage",
  "[]",
  ""
)

/** A session that begins with `session/new`, and goes on with anything. No two requests have one id. */
export const fakeSessions: fc.Arbitrary<FakeSession> = fc.record({
  script,
  endsInput: fc.boolean(),
  acts: fc
    .tuple(
      fc.shuffledSubarray(idTokens, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.constantFrom(...methods)),
      fc.array(
        fc.oneof(
          otherLine.map((text) => ({ kind: "line", text }) as const),
          fc.nat({ max: 20 }).map((ms) => ({ kind: "wait", ms }) as const)
        ),
        { maxLength: 5 }
      ),
      fc.array(fc.nat({ max: 12 }), { minLength: 5, maxLength: 5 })
    )
    .map(([ids, names, others, places]) => {
      const acts: Array<ClientAct> = ids.map((id, index) => ({
        kind: "request",
        id,
        method: index === 0 ? "session/new" : (names.next().value ?? ""),
        params: index === 0 ? { cwd: "/w" } : inSession
      }))
      others.forEach((act, index) => void acts.splice(1 + ((places[index] ?? 0) % acts.length), 0, act))
      return acts
    })
})
