import { describe, expect, test } from "vitest"
import { type AcpRouter, makeAcpRouter } from "../../../src/harness/fake-leader/acp-router.ts"
import { errorLine, notificationLine, requestLine, resultLine } from "../../../src/wire/acp/write-line.ts"

interface Routed {
  readonly router: AcpRouter
  /** The lines since the last look, as `to 1: LINE`, `to agent: LINE`, `dropped: REASON`. */
  fresh(): ReadonlyArray<string>
}

/** A router with two clients, ready unless told otherwise. */
const routed = ({ isReady = true } = {}): Routed => {
  let seen: Array<string> = []
  const router = makeAcpRouter({
    toClient: (client, line) => void seen.push(`to ${client}: ${line}`),
    toAgent: (line) => void seen.push(`to agent: ${line}`),
    dropped: (reason) => void seen.push(`dropped: ${reason}`)
  })
  router.joined(1)
  router.joined(2)
  if (isReady) router.ready()
  return {
    router,
    fresh() {
      const lines = seen
      seen = []
      return lines
    }
  }
}

/** The same when client 1 has made session s, and client 2 has loaded it. */
const shared = (): Routed => {
  const all = routed()
  all.router.fromClient(1, requestLine(1, "session/new", {}))
  all.router.fromAgent(resultLine('"1|1"', { sessionId: "s" }))
  all.router.fromClient(2, requestLine(1, "session/load", { sessionId: "s" }))
  all.router.fromAgent(resultLine('"2|1"', {}))
  all.fresh()
  return all
}

const update = notificationLine("session/update", { sessionId: "s", update: {} })
const permission = requestLine(9, "session/request_permission", { sessionId: "s" })

describe("requests of clients", () => {
  test("carry client and id towards the agent, and come back with the id as it was written", () => {
    const { router, fresh } = routed()
    for (const id of ["7", '"7"', "1e2", '"a|\\u0041"']) {
      router.fromClient(2, `{"id":${id},"jsonrpc":"2.0","method":"x","params":{"id":3}}`)
      const asked = fresh()[0] ?? ""
      const routedAs: unknown = JSON.parse(asked.slice("to agent: ".length)).id
      expect(routedAs).toBe(`2|${id}`)
      router.fromAgent(`{"jsonrpc":"2.0","id":${JSON.stringify(routedAs)},"result":{"id":4}}`)
      expect(fresh()).toEqual([`to 2: {"jsonrpc":"2.0","id":${id},"result":{"id":4}}`])
    }
    expect(router.underWay()).toBe(0)
  })

  test("are refused before the leader is ready, and notifications are dropped", () => {
    const { router, fresh } = routed({ isReady: false })
    router.fromClient(1, requestLine("a", "initialize", {}))
    router.fromClient(1, notificationLine("session/cancel", { sessionId: "s" }))
    router.ready()
    router.fromClient(1, requestLine("a", "initialize", {}))

    expect(fresh()).toEqual([
      'to 1: {"jsonrpc":"2.0","id":"a","error":{"code":-32002,"message":"leader_starting"}}',
      "dropped: the leader is not ready",
      'to agent: {"jsonrpc":"2.0","id":"1|\\"a\\"","method":"initialize","params":{}}'
    ])
  })

  test("of a client that is gone are answered to nobody", () => {
    const { router, fresh } = routed()
    router.fromClient(1, requestLine(1, "x", {}))
    expect(router.underWay()).toBe(1)
    router.left(1)
    expect(router.underWay()).toBe(0)
    fresh()
    router.fromAgent(resultLine('"1|1"', {}))
    router.fromAgent(resultLine("17", {}))
    router.fromAgent("garbage")

    expect(fresh()).toEqual([
      "dropped: its client is gone",
      "dropped: it answers nothing",
      "dropped: the agent wrote what is no message"
    ])
  })

  test("are cancelled by the id that the agent knows", () => {
    const { router, fresh } = routed()
    router.fromClient(2, notificationLine("$/cancel_request", { requestId: "a" }))

    expect(fresh()).toEqual([
      'to agent: {"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"2|\\"a\\""}}'
    ])
  })

  test("that are no messages are refused, and never reach the agent", () => {
    const { router, fresh } = routed()
    for (const line of ["{", "[]", "{}", " "]) router.fromClient(1, line)

    expect(fresh().map((line) => line.slice(0, 53))).toEqual([
      'to 1: {"jsonrpc":"2.0","id":null,"error":{"code":-327',
      'to 1: {"jsonrpc":"2.0","id":null,"error":{"code":-326',
      'to 1: {"jsonrpc":"2.0","id":null,"error":{"code":-326'
    ])
  })

  test("stay one line when they are sent as several", () => {
    const { router, fresh } = routed()
    router.fromClient(1, '{"jsonrpc":"2.0",\r\n"id":1,\n"method":"x"}')

    expect(fresh()).toEqual(['to agent: {"jsonrpc":"2.0",  "id":"1|1", "method":"x"}'])
  })
})

describe("what the agent tells", () => {
  test("goes to everybody who has the session, and to everybody when it is about none", () => {
    const { router, fresh } = shared()
    router.joined(3)
    router.fromAgent(update)
    expect(fresh()).toEqual([`to 1: ${update}`, `to 2: ${update}`])
    const custom = notificationLine("_x.ai/foo", { method: "x.ai/foo", params: { sessionId: "s" } })
    router.fromAgent(custom)
    expect(fresh()).toEqual([`to 1: ${custom}`, `to 2: ${custom}`])
    const general = notificationLine("_x.ai/models/update", {})
    router.fromAgent(general)
    expect(fresh()).toEqual([1, 2, 3].map((client) => `to ${client}: ${general}`))
  })

  test.each([
    ["session/close", '"1|2"', ["to 2"]],
    ["session/delete", '"1|2"', []]
  ])("no longer comes behind %s", (method, id, heard) => {
    const { router, fresh } = shared()
    router.fromClient(1, requestLine(2, method, { sessionId: "s" }))
    router.fromAgent(resultLine(id, {}))
    fresh()
    router.fromAgent(update)

    expect(fresh()).toEqual(heard.map((who) => `${who}: ${update}`))
  })

  test("comes while a session is loaded, and not behind a load that failed", () => {
    const { router, fresh } = routed()
    router.fromClient(1, requestLine(1, "session/load", { sessionId: "s" }))
    fresh()
    router.fromAgent(update)
    expect(fresh()).toEqual([`to 1: ${update}`])
    router.fromAgent(errorLine('"1|1"', { code: -32002, message: "no session", data: undefined }))
    fresh()
    router.fromAgent(update)
    expect(fresh()).toEqual([])
  })
})

describe("what the agent asks", () => {
  test("about permission is asked of everybody who has the session, and the first answer counts", () => {
    const { router, fresh } = shared()
    router.joined(3)
    router.fromAgent(permission)
    expect(fresh()).toEqual([`to 1: ${permission}`, `to 2: ${permission}`])
    router.fromClient(3, resultLine("9", { of: 3 }))
    router.fromClient(2, resultLine("9", { of: 2 }))
    router.fromClient(1, resultLine("9", { of: 1 }))

    expect(fresh()).toEqual([
      "dropped: it answers nothing, or not as the first",
      `to agent: ${resultLine("9", { of: 2 })}`,
      "dropped: it answers nothing, or not as the first"
    ])
  })

  test("else is asked of the client that prompted last, or else made the session", () => {
    const { router, fresh } = shared()
    const read = requestLine(9, "fs/read_text_file", { sessionId: "s" })
    router.fromAgent(read)
    expect(fresh()).toEqual([`to 1: ${read}`])
    router.fromClient(2, requestLine(5, "session/prompt", { sessionId: "s" }))
    fresh()
    router.fromAgent(read)
    expect(fresh()).toEqual([`to 2: ${read}`])
  })

  test("is refused when nobody is left who was asked", () => {
    const { router, fresh } = shared()
    router.fromAgent(permission)
    router.left(2)
    fresh()
    router.left(1)
    router.fromAgent(permission)

    const refused =
      'to agent: {"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"no client is there to answer"}}'
    expect(fresh()).toEqual([refused, refused])
  })
})
