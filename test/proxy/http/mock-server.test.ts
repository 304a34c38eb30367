import { connect as connectPlain } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { describe, expect, it, onTestFinished } from "vitest"
import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "../../../src/index.ts"
import { makeTrace } from "../../../src/kernel/trace.ts"
import { liveClock } from "../../../src/live/clock.ts"
import { portOf } from "../../../src/live/listening-port.ts"
import { makeLiveStreams } from "../../../src/live/stream-sockets.ts"
import type { FaultProxy } from "../../../src/proxy/fault-proxy.ts"
import { startFaultProxy } from "../../../src/proxy/start-fault-proxy.ts"
import { type PlanSource, type RuleSource, spawnFaultProxy } from "../../../src/proxy.ts"
import { chat } from "../../../src/sse.ts"
import { makeSupervisor } from "../../../src/supervisor/supervisor.ts"
import { encodeEvent } from "../../../src/wire/sse-frame.ts"
import { selfSigned } from "../../support/self-signed.ts"

const events = chat.text({ model: "tide-1", text: "Sea is calm today" })
/** The events as they go over the wire: the first one says the role, the second one `Sea`. */
const texts = events.map((event) => encodeEvent(event))

const answering = async (answer: ScriptedResponse): Promise<MockInferenceServer> => {
  const server = await MockInferenceServer.start()
  onTestFinished(async () => void (await server.close()))
  server.expectResponse("weather", InferenceRequestMatcher.auxiliary("ChatCompletions"), answer)
  return server
}

const inFront = async (server: MockInferenceServer, ...rules: ReadonlyArray<RuleSource>): Promise<FaultProxy> => {
  const plan: PlanSource = { rules: rules.map((rule) => ({ direction: "u2c", ...rule })) }
  const proxy = await spawnFaultProxy("tcp:127.0.0.1:0", server.origin(), plan)
  onTestFinished(() => proxy.stop())
  return proxy
}

const ask = (proxy: FaultProxy, { stream = true } = {}): Promise<Response> =>
  fetch(`${proxy.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer any" },
    body: JSON.stringify({ model: "tide-1", stream, messages: [{ role: "user", content: "Weather?" }] })
  })

/** What comes of a body, and whether it ended as it should. */
const readBody = async (response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> => {
  let text = ""
  const decoder = new TextDecoder()
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
  } catch {
    return { text, isWhole: false }
  }
  return { text, isWhole: true }
}

/** The events that come through a proxy with these rules. */
const through = async (...rules: ReadonlyArray<RuleSource>) => {
  const proxy = await inFront(await answering(ScriptedResponse.sse(events)), ...rules)
  return { proxy, ...(await readBody(await ask(proxy))) }
}

const saying = (content: string) => ({ kind: "event", where: { "/choices/0/delta/content": content } })

// Seen to fail when a postponed event is put behind the end of its body, and when the prefix of a severed one is no chunk.
describe("the framing http in front of our own server", () => {
  it("lets everything through where no rule is", async () => {
    const { proxy, text, isWhole } = await through()

    expect([text, isWhole]).toEqual([texts.join(""), true])
    // A head and a body; a head and the events.
    expect([proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")]).toEqual([2, 1 + texts.length])
  })

  it("cuts a stream exactly behind its third event", async () => {
    const { text, isWhole } = await through({ match: { index: 5 }, action: { type: "sever", afterBytes: 0 } })

    expect([text, isWhole]).toEqual([texts.slice(0, 3).join(""), false])
  })

  it("cuts an event in its middle", async () => {
    const { text, isWhole } = await through({ match: saying(" is"), action: { type: "sever", afterBytes: 10 } })

    expect([text, isWhole]).toEqual([texts.slice(0, 2).join("") + texts[2]?.slice(0, 10), false])
  })

  it("leaves an event out, and sends one twice", async () => {
    const { text, isWhole } = await through(
      { match: saying("Sea"), action: { type: "drop" } },
      { match: saying(" calm"), action: { type: "duplicate", copies: 2 } }
    )

    const [role, , is, calm, ...others] = texts
    expect([text, isWhole]).toEqual([[role, is, calm, calm, ...others].join(""), true])
  })

  it("lets an event come late, and those behind it", async () => {
    const { proxy, text, isWhole } = await through({ match: { index: 3 }, action: { type: "delay", ms: 3 } })

    expect([text, isWhole]).toEqual([texts.join(""), true])
    const [delayed, forwarded] = proxy.events().filter((event) => event.type === "frame" && event.rules.length > 0)
    expect([delayed, forwarded]).toMatchObject([
      { index: 3, action: "delayed" },
      { index: 3, action: "forwarded" }
    ])
    // It counts from when its chunk came, which may be over by then on a slow machine: how long is a matter of virtual time.
  })

  it("holds an event until it is released, while those before it are there", async () => {
    const proxy = await inFront(await answering(ScriptedResponse.sse(events)), {
      match: saying(" calm"),
      action: { type: "hold", barrier: "calm" }
    })
    const response = await ask(proxy)
    const reading = readBody(response)
    await proxy.waitForHeld("calm")
    expect(proxy.forwarded("leaderToClient")).toBe(4)

    proxy.release("calm")

    expect(await reading).toEqual({ text: texts.join(""), isWhole: true })
  })

  it("puts an event behind the next one, but not behind the end of its body", async () => {
    const { text, isWhole } = await through(
      { match: saying("Sea"), action: { type: "reorder" } },
      { match: { kind: "event", where: { "/data": "[DONE]" } }, action: { type: "reorder" } }
    )

    const [role, sea, is, ...others] = texts
    expect([text, isWhole]).toEqual([[role, is, sea, ...others].join(""), true])
  })

  it("changes the status of an answer", async () => {
    const proxy = await inFront(await answering(ScriptedResponse.sse(events)), {
      match: { kind: "head" },
      action: { type: "corrupt", offset: "HTTP/1.1 ".length, xor: 0b111 }
    })

    const response = await ask(proxy)

    expect(response.status).toBe(500)
    expect(await readBody(response)).toEqual({ text: texts.join(""), isWhole: true })
  })

  it("shortens a body of a known length, and lengthens what is said of it", async () => {
    const answer = ScriptedResponse.json(200, { id: "1", object: "chat.completion", choices: [] })
    const whole = await readBody(await ask(await inFront(await answering(answer)), { stream: false }))

    const short = await inFront(await answering(answer), {
      match: { kind: "body" },
      action: { type: "truncateBody", keep: 8 }
    })
    expect(await readBody(await ask(short, { stream: false }))).toEqual({ text: whole.text.slice(0, 8), isWhole: true })

    const long = await inFront(
      await answering(answer),
      { match: { kind: "head" }, action: { type: "badLength", value: whole.text.length + 1 } },
      { match: { kind: "body" }, action: { type: "halfClose" } }
    )
    expect(await readBody(await ask(long, { stream: false }))).toEqual({ text: whole.text, isWhole: false })
  })

  it("does the same in front of a server of TLS", async () => {
    const server = await answering(ScriptedResponse.sse(events))
    const own = selfSigned()
    const front = createTlsServer(own, (socket) => {
      const behind = connectPlain({ port: Number(new URL(server.origin()).port), host: "127.0.0.1" })
      for (const one of [socket, behind]) one.on("error", () => {})
      onTestFinished(() => void socket.destroy())
      socket.pipe(behind).pipe(socket)
    })
    onTestFinished(() => void front.close())
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve))
    const proxy = await startFaultProxy(
      {
        clock: liveClock,
        supervisor: makeSupervisor({ clock: liveClock, trace: makeTrace(liveClock) }),
        streams: makeLiveStreams({ trusted: own.cert })
      },
      {
        listen: { kind: "tcp", host: "127.0.0.1", port: 0 },
        upstream: { kind: "tls", host: "localhost", port: portOf(front) },
        framing: "http",
        record: true,
        plan: { rules: [{ direction: "u2c", match: saying(" calm"), action: { type: "drop" } }] }
      }
    )
    onTestFinished(() => proxy.stop())

    const { text, isWhole } = await readBody(await ask(proxy))

    expect([text, isWhole]).toEqual([texts.filter((event) => !event.includes(" calm")).join(""), true])
    const [head] = proxy.recording()?.frames ?? []
    const sent = Buffer.from(head?.bytes ?? []).toString("latin1")
    expect(sent).toMatch(new RegExp(`^host: localhost:${portOf(front)}\r$`, "im"))
    expect(sent).toMatch(/^accept-encoding: identity\r$/im)
  })
})
