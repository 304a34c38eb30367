import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { AgentClosed, BinaryNotFound, RequestTimeout } from "../../../src/domain/harness-errors.ts"
import { member } from "../../../src/domain/json.ts"
import { startRawClient } from "../../../src/harness/raw/start-raw-client.ts"
import { liveAgentWorld } from "../agent-world.ts"
import { allSaid, everythingSaid, line, rawProfile, startRaw } from "./raw-world.ts"

/** The numbers are those of the scenarios of agent-harness.md, section 9. */
const uuid = "9B25E574-2F0C-4C8A-8C7E-2E9B3A4A0F01"

/** Waits that are to fail; others have as long as it takes. */
const soon = { ms: 200 }

const refusal = (idToken: string): string =>
  `{"jsonrpc":"2.0","id":${idToken},"error":{"code":-32601,"message":"unsupported by raw test client"}}`

describe("a raw client", () => {
  it("sends a line byte for byte, and knows its answer by the id that comes back unchanged (44)", async () => {
    const { client, input } = await startRaw([{ await: 1 }, { reply: "same" }])
    const sent = `{"jsonrpc":"2.0",  "id":"${uuid}","method":"session\\/new","params":{"cwd":"\\u002f"}}`
    await client.sendLine(sent)

    expect(await client.responseForId(uuid)).toEqual({ jsonrpc: "2.0", id: uuid, result: {} })
    expect(input()).toBe(`${sent}\n`)
  })

  it("does not take an id in other case for the same, and shows it (45)", async () => {
    const { client } = await startRaw([{ await: 1 }, { reply: "lower" }, allSaid])
    await client.sendLine(line({ id: uuid, method: "session/new" }))
    await everythingSaid(client)
    const error = await client.responseForId(uuid, { what: "session/new", ms: 200 }).catch((late) => late)

    expect(error).toBeInstanceOf(RequestTimeout)
    const [head, stderr] = error.message.split("\n")
    const seen = `{"jsonrpc":"2.0","id":"${uuid.toLowerCase()}","result":{}}`
    expect(head).toBe(`session/new: no matching response within 200 ms (1 other messages seen; last: [${seen}])`)
    expect(stderr).toBe("stderr: all said")
    expect(error.diagnostics).toContain("process fixture agent stdio: pid ")
    expect([error.what, error.ms]).toEqual(["session/new", 200])
  })

  it("does not take a number for a string (46)", async () => {
    const { client } = await startRaw([{ await: 1 }, { reply: "number" }, allSaid])
    await client.sendLine(line({ id: "7", method: "session/new" }))
    await everythingSaid(client)

    await expect(client.responseForId("7", soon)).rejects.toThrow(
      '(1 other messages seen; last: [{"jsonrpc":"2.0","id":7,"result":{}}])'
    )
  })

  it("says that nothing came where nothing came (47)", async () => {
    const { client } = await startRaw([])

    await expect(client.responseForId("a", { what: "a", ms: 200 })).rejects.toThrow(
      "a: no matching response within 200 ms (0 other messages seen; last: [])"
    )
  })

  it("shows the last 1,200 characters of stderr", async () => {
    const { client } = await startRaw([{ stderr: "x".repeat(1_300) }, allSaid])
    await everythingSaid(client)
    const error = await client.responseForId("a", soon).catch((late) => late)

    expect(error.message).toMatch(/\nstderr: x{1192}all said\n/)
  })

  it("shows the last three of what came, cut to 200 characters (48)", async () => {
    const said = [1, 2, 3, 4, 5].map((n) => line({ method: `n${n}`, params: { text: "x".repeat(n === 4 ? 300 : 3) } }))
    const { client } = await startRaw([...said.map((say) => ({ say })), allSaid])
    await everythingSaid(client)
    const error = await client.responseForId("a", soon).catch((late) => late)

    expect(error.message).toContain(
      `(5 other messages seen; last: [${said[2]}, ${String(said[3]).slice(0, 200)}, ${said[4]}])`
    )
    expect(client.notifications().map(({ method }) => method)).toEqual(["n1", "n2", "n3", "n4", "n5"])
  })

  it("refuses requests that a wait passes over, each with its id as it was written (49)", async () => {
    const ids = ["null", "1e2", "9007199254740993", '"\\u0041"']
    const said = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"fs/read_text_file","params":{}}`)
    const { client, input } = await startRaw([
      ...said.map((say) => ({ say })),
      { await: 5 },
      { say: line({ id: "a" }) }
    ])
    await client.sendLine("go")

    expect(await client.responseForId("a")).toEqual({ jsonrpc: "2.0", id: "a" })
    expect(input()).toBe(["go", ...ids.map(refusal), ""].join("\n"))
    expect(client.refusals()).toEqual(ids.map((idToken) => ({ idToken, method: "fs/read_text_file", params: {} })))
  })

  it("says that an agent has closed its output, and what it said last on stderr (50)", async () => {
    const note = { say: line({ method: "n" }) }
    const { client } = await startRaw([note, note, { stderr: "out of memory" }, { closeOutput: 1 }])
    const error = await client.responseForId("a", { what: "a" }).catch((closed) => closed)

    expect(error).toBeInstanceOf(AgentClosed)
    expect(error.message).toMatch(
      /^a: agent closed stdout before responding \(2 other messages seen\)\nstderr: out of memory\n/
    )
    await expect(client.responseForId("b")).rejects.toThrow("closed stdout before responding (0 other messages seen)")
    await expect(client.sendLine("x")).rejects.toBeInstanceOf(AgentClosed)
  })

  it("the same where it has crashed", async () => {
    const { client } = await startRaw([{ stderr: "panicked at main" }, { exit: 3 }])
    const error = await client.nextMessage().catch((closed) => closed)

    expect(error.message).toMatch(/before responding \(0 other messages seen\)\nstderr: panicked at main\n/)
    expect(error.message).toContain("exit code 3")
    expect(await client.close()).toMatchObject({ exitCode: 3, signal: null, reason: "NaturalExit" })
  })

  it("finds a response that came while it waited for another (51)", async () => {
    const said = ["B", "A"].map((id) => ({ say: line({ id, result: id }) }))
    const { client } = await startRaw(said)

    expect(await client.responseForId("A")).toMatchObject({ result: "A" })
    expect(await client.responseForId("B")).toMatchObject({ result: "B" })
  })

  it("unless it was told not to keep any (51)", async () => {
    const said = ["B", "A"].map((id) => ({ say: line({ id, result: id }) }))
    const { client } = await startRaw(said, { discardUnmatched: true })
    await client.responseForId("A")

    await expect(client.responseForId("B", soon)).rejects.toThrow("(0 other messages seen; last: [])")
  })

  it("takes nothing that has a method for a response (52)", async () => {
    const { client, input } = await startRaw([
      { say: '{"id":"a","method":null,"result":1}' },
      { await: 1 },
      { say: line({ id: "a", result: 2 }) }
    ])

    expect(await client.responseForId("a")).toMatchObject({ result: 2 })
    expect(input()).toBe(`${refusal('"a"')}\n`)
  })

  it("passes over what is no message, and says nothing to it (53)", async () => {
    const { client, input } = await startRaw([
      { say: '[{"id":"a","result":1}]' },
      { say: "" },
      { say: "garbage" },
      allSaid
    ])
    await client.sendLine("first")
    await everythingSaid(client)
    await expect(client.responseForId("a", soon)).rejects.toThrow(
      '(3 other messages seen; last: [[{"id":"a","result":1}], , garbage])'
    )
    await client.sendLine("second")
    await client.close({ mode: "eof" })

    expect(input()).toBe("first\nsecond\n")
  })

  it("sends a message in pieces, and several in one (54)", async () => {
    const { client } = await startRaw([{ await: 3 }, { report: 0 }, { report: 1 }, { report: 2 }])
    const bytes = (text: string) => new TextEncoder().encode(text)
    await client.sendChunks([bytes('{"id":'), bytes('"é'), bytes('"}\n')], { gapMs: 20 })
    await client.sendBytes(bytes("one\ntwo\n"))
    const seen = [await client.nextMessage(), await client.nextMessage(), await client.nextMessage()]

    expect(seen.map(({ params }) => params)).toEqual([{ line: '{"id":"é"}' }, { line: "one" }, { line: "two" }])
  })

  it("decodes bytes that are no UTF-8, and says so", async () => {
    const { client } = await startRaw([{ bytes: "7b226d223a22ff227d0a" }])

    expect(await client.nextMessage()).toEqual({ m: "\ufffd" })
    expect(client.violations()).toEqual([{ rule: "UTF-8", line: '{"m":"\ufffd"}' }])
  })

  it("ends with its agent, its sandbox and all that is left of them", async () => {
    const { client, world } = await startRaw([{ stderr: "bye" }, { say: line({ method: "up" }) }])
    await client.nextMessage()
    const pid = Number(client.pid())
    const [first, second] = await Promise.all([client.close({ mode: "eof" }), client.close()])

    expect(first).toEqual({
      exitCode: 0,
      signal: null,
      reason: "NaturalExit",
      stdoutTail: `${line({ method: "up" })}\n`,
      stderrTail: "bye"
    })
    expect(second).toBe(first)
    expect([world.host.pidAlive(pid), world.host.alive(), readdirSync(world.baseFolder)]).toEqual([false, [], []])
    expect(client.pid()).toBeUndefined()
    await expect(client.nextMessage()).rejects.toBeInstanceOf(AgentClosed)
  })

  it("leaves nothing, one after the other or many at once", async () => {
    const world = liveAgentWorld({ RAW_AGENT: "/bin/sh" })
    const answering = 'while read -r line; do echo \'{"id":"a","result":1}\'; done'
    const exchange = async () => {
      await using client = await startRawClient(world, { profile: rawProfile, leadingArgs: ["-c", answering] })
      await client.sendLine("hello")
      return await client.responseForId("a")
    }
    for (let n = 0; n < 20; n++) await exchange()
    const answers = await Promise.all(Array.from({ length: 20 }, exchange))

    expect(answers).toEqual(Array.from({ length: 20 }, () => ({ id: "a", result: 1 })))
    expect([world.host.alive(), readdirSync(world.baseFolder)]).toEqual([[], []])
    // The host is one, and there is nothing else.
    expect([world.supervisor.alive(), world.processes.armed()]).toEqual([1, 0])
  })

  it("that cannot be started leaves nothing, and says where it was to run", async () => {
    const world = liveAgentWorld({ RAW_AGENT: "/none-such" })
    const missing = await startRawClient(world, { profile: rawProfile }).catch((error) => error)
    const other = liveAgentWorld({ RAW_AGENT: "/bin/sh" })
    const lost = await startRawClient(other, { profile: rawProfile, cwd: "/none-such" }).catch((error) => error)

    expect(missing).toBeInstanceOf(BinaryNotFound)
    expect(lost.message).toMatch(/does not exist: \/none-such\nsandbox root=/)
    expect([readdirSync(world.baseFolder), readdirSync(other.baseFolder)]).toEqual([[], []])
  })

  it("has the agent wait while nobody reads, and loses nothing of what it says", async () => {
    const { client } = await startRaw([{ many: 20_000 }, { say: line({ id: "a", result: 1 }) }])
    await client.nextMessage()
    await client.responseForId("a")

    expect(client.notifications().map(({ params }) => member(params, "n"))).toEqual(
      Array.from({ length: 20_000 }, (_, n) => n)
    )
  })
})
