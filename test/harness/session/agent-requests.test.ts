import { describe, expect, it } from "vitest"
import type { PermissionPolicy } from "../../../src/harness/session/permission-policy.ts"
import { caught } from "./echo-agent.ts"
import { type SimAnswer, type SimSessionOptions, startSimSession } from "./sim-session.ts"

/** Numbers are those of the scenarios of agent-harness.md, section 9. */

interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params?: unknown
}

/** Starts an agent that asks this when it is prompted, and ends its turn when all is answered. */
const start = (asked: ReadonlyArray<Asked>, options: SimSessionOptions = {}) => {
  const answers: Array<unknown> = []
  let prompt: unknown
  const agent: SimAnswer = (message, side) => {
    if (message["method"] === "session/prompt") {
      prompt = message
      side.say(...asked)
    } else if (message["method"] === undefined) answers.push(message)
    else if (message["id"] !== undefined) side.result(message, {})
    if (answers.length === asked.length) side.result(prompt, { stopReason: "end_turn" })
  }
  return { ...startSimSession(agent, options), answers }
}

const permission = (options: ReadonlyArray<readonly [kind: string, optionId: string]>, id: unknown = 7): Asked => ({
  id,
  method: "session/request_permission",
  params: {
    sessionId: "s1",
    toolCall: { toolCallId: "t" },
    options: options.map(([kind, optionId]) => ({ kind, optionId, name: optionId }))
  }
})

const all = [
  ["reject_once", "a"],
  ["allow_always", "b"],
  ["allow_once", "c"]
] as const

const chosen = (answer: unknown): unknown => Reflect.get(Object(Reflect.get(Object(answer), "result")), "outcome")

describe("a request for permission", () => {
  it.each([
    [all, "c"],
    [[["reject_once", "a"]], "a"],
    [[], null]
  ] as const)("is answered by the default policy (29): %j", async (options, expected) => {
    const { session, until, answers } = start([permission(options)])
    await until(session.prompt("s1", "x"))

    const outcome = expected === null ? { outcome: "cancelled" } : { outcome: "selected", optionId: expected }
    expect(answers).toEqual([{ jsonrpc: "2.0", id: 7, result: { outcome } }])
    expect(session.permissions()).toMatchObject([{ answer: expected === null ? "cancelled" : { optionId: expected } }])
  })

  it.each<[PermissionPolicy, ReadonlyArray<string | undefined>]>([
    ["cancelAll", [undefined, undefined, undefined]],
    ["rejectOnce", ["a", "a", "a"]],
    [{ scripted: ["allow_once", "reject_once"] }, ["c", "a", undefined]],
    [{ custom: (request) => ({ optionId: request.options[1]?.optionId ?? "" }) }, ["b", "b", "b"]],
    [{ custom: () => Promise.resolve("cancelled" as const) }, [undefined, undefined, undefined]]
  ])("is answered by policy %j (30)", async (permissions, expected) => {
    const { session, until, answers } = start([permission(all, 1), permission(all, 2), permission(all, 3)], {
      permissions
    })
    await until(session.prompt("s1", "x"))

    expect(answers.map((answer) => Reflect.get(Object(chosen(answer)), "optionId"))).toEqual(expected)
  })

  it("that the script has no fitting answer for is cancelled, and the test is told (30)", async () => {
    const { session, until, answers } = start([permission([["reject_once", "a"]])], {
      permissions: { scripted: ["allow_always"] }
    })
    const error = await until(caught(session.prompt("s1", "x")))

    expect(error).toMatchObject({ _tag: "PermissionScriptError" })
    expect(String(error)).toContain(
      "answer 1 of the permission script is allow_always, and the agent offered reject_once"
    )
    expect(answers.map(chosen)).toEqual([{ outcome: "cancelled" }])
    // It is told once.
    await until(session.createSession("/w").catch(() => {}))
    await until(session.close())
  })

  it("that a script got wrong is told by close when nothing else is awaited", async () => {
    const { session, until, pass } = start([permission([])], { permissions: { scripted: ["allow_once"] } })
    const prompt = session.prompt("s1", "x", { deadlineMs: null })
    prompt.catch(() => {})
    session.setPermissionPolicy({ scripted: ["allow_once"] })
    await pass(1)
    session.notify("x")

    expect(await caught(prompt)).toMatchObject({ _tag: "PermissionScriptError" })
    await until(session.close())
  })

  it("that is held is answered by the test, once", async () => {
    const { session, until, answers } = start([permission(all)], { permissions: "hold" })
    const prompt = session.prompt("s1", "x")
    const held = await until(session.nextPermission())

    expect([held.request.options.length, session.heldPermissions(), answers]).toEqual([3, [held], []])
    expect([held.answer({ optionId: "b" }), held.answer("cancelled")]).toEqual([true, false])
    await until(prompt)
    expect(answers.map(chosen)).toEqual([{ outcome: "selected", optionId: "b" }])
    expect(session.permissions()).toMatchObject([{ answer: { optionId: "b" } }])
  })

  it("that is held is cancelled with its turn", async () => {
    const { session, until, answers } = start([permission(all)], { permissions: "hold" })
    const prompt = session.prompt("s1", "x")
    await until(session.nextPermission())
    session.cancel("s1")
    await until(prompt)

    expect(answers.map(chosen)).toEqual([{ outcome: "cancelled" }])
    expect(session.heldPermissions()).toEqual([])
  })
})

describe("another request of the agent", () => {
  it("is refused by its method when nobody handles it (31)", async () => {
    const { session, until, answers } = start([
      { id: "r1", method: "fs/read_text_file", params: {} },
      { id: null, method: "_x.ai/what", params: {} }
    ])
    await until(session.prompt("s1", "x"))

    expect(answers).toMatchObject([
      { id: "r1", error: { code: -32_601, data: { method: "fs/read_text_file" } } },
      { id: null, error: { code: -32_601, data: { method: "_x.ai/what" } } }
    ])
  })

  it("is answered by its handler, custom ones by their bare names in any shape", async () => {
    const names = ["x.ai/ask", "_x.ai/ask"].map((method, id) => ({ id, method, params: { n: id } }))
    const wrapped = { id: 2, method: "_x.ai/ask", params: { method: "x.ai/ask", params: { n: 2 } } }
    const { session, until, answers } = start([...names, wrapped], {
      handlers: { "x.ai/ask": async ({ params }) => ({ kind: "result", result: params }) }
    })
    await until(session.prompt("s1", "x"))

    expect(answers).toMatchObject([0, 1, 2].map((n) => ({ id: n, result: { n } })))
  })

  it("is answered with an internal error when its handler throws", async () => {
    const { session, until, answers } = start(
      ["a", "b"].map((method) => ({ id: method, method })),
      {
        handlers: {
          a() {
            throw new Error("mine")
          },
          b: () => Promise.reject(new Error("later"))
        }
      }
    )
    await until(session.prompt("s1", "x"))

    expect(answers).toMatchObject([
      { id: "a", error: { code: -32_603, message: "mine" } },
      { id: "b", error: { code: -32_603, message: "later" } }
    ])
  })

  it("never holds up later lines", async () => {
    const slow = start(
      [
        { id: 1, method: "slow" },
        { id: 2, method: "quick" }
      ],
      {
        handlers: { slow: () => new Promise(() => {}) }
      }
    )
    slow.session.prompt("s1", "x").catch(() => {})
    await slow.pass(10)

    expect(slow.answers).toMatchObject([{ id: 2 }])
  })

  it("is answered with its id as it was written, and both times when an id comes twice", async () => {
    const { session, until, heard } = startSimSession((message, side) => {
      if (message["method"] !== "go") return
      side.say('{"jsonrpc":"2.0","id":1e2,"method":"a"}', '{"jsonrpc":"2.0","id":"\\u0041","method":"b"}')
      side.say('{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}', '{"jsonrpc":"2.0","id":5,"method":7}')
      side.say('{"jsonrpc":"2.0","id":1,"method":"hold"}', '{"jsonrpc":"2.0","id":1,"method":"hold"}')
      side.result(message, null)
    })
    const open: Array<() => void> = []
    session.onRequest(
      "hold",
      () => new Promise((resolve) => open.push(() => resolve({ kind: "result", result: open.length })))
    )
    await until(session.request("go", {}))
    for (const answer of open) answer()
    await until(session.request("x", {}, { deadlineMs: 1 }).catch(() => {}))

    const ids = heard.filter((line) => !/^.{24,40}"method"/.test(line)).map((line) => /"id":([^,]*),/.exec(line)?.[1])
    expect(ids).toEqual(["1e2", '"\\u0041"', "9007199254740993", "5", "1", "1"])
    expect(heard.filter((line) => line.includes("-32600"))).toHaveLength(1)
    expect(session.violations().map(({ rule }) => rule)).toEqual([
      "messages are JSON-RPC 2.0",
      "ids of open requests differ"
    ])
  })

  it("that the agent takes back is answered as cancelled, and its handler is told", async () => {
    const signals: Array<AbortSignal> = []
    const taking = startSimSession(
      (message, side) => {
        if (message["method"] === "go") {
          side.say(
            { id: "A", method: "slow" },
            '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"\\u0041"}}'
          )
          side.result(message, {})
        }
      },
      {
        handlers: {
          slow({ signal }) {
            signals.push(signal)
            return new Promise(() => {})
          }
        }
      }
    )
    await taking.until(taking.session.request("go", {}))
    await taking.pass(1)

    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(taking.heard.slice(1).map((line) => JSON.parse(line))).toMatchObject([{ id: "A", error: { code: -32_800 } }])
  })

  it("that is open when the agent ends is aborted and not answered", async () => {
    const signals: Array<AbortSignal> = []
    const { session, until } = start([{ id: 1, method: "slow" }], {
      handlers: {
        slow({ signal }) {
          signals.push(signal)
          return new Promise(() => {})
        }
      }
    })
    const prompt = caught(session.prompt("s1", "x"))
    await until(session.prompt("s1", "y", { deadlineMs: 5 }).catch(() => {}))
    await until(session.close())

    expect(signals.map(({ aborted }) => aborted)).toContain(true)
    expect(await prompt).toMatchObject({ _tag: "AgentClosed" })
  })
})
