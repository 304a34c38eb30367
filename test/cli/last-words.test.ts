import { afterEach, describe, expect, test } from "vitest"
import { fallBehind, type RunningCommand, start, startServe, stopAll } from "./fake-io.ts"
import { ask, onFreePort, stop } from "./faults-running.ts"
import { askAt, echoAt } from "./proxy-peers.ts"
import { postChat } from "./requests.ts"
import { tempFolder } from "./temp-folder.ts"

/* What the commands that stay say when they are stopped. */

const folder = tempFolder()

afterEach(stopAll)

const startProxy = async (...argv: ReadonlyArray<string>) => {
  const [front, up] = [folder.path("front.sock"), folder.path("up.sock")]
  await echoAt(up)
  const command = start(["proxy", "--listen", front, "--upstream", up, "--framing", "ndjson", ...argv])
  await command.out.record("ready")
  return { ...command, front }
}

/** The types of all records but those of the start. */
const typesOf = ({ out }: RunningCommand): ReadonlyArray<unknown> =>
  out.all.map((line) => JSON.parse(line).type).filter((type) => type !== "ready" && type !== "listening")

// Each was seen to fail while its command did not say that these are the last words.
describe("whose readers are too far behind says its last words all the same, behind how many were lost:", () => {
  test("a proxy, totals", async () => {
    const command = await startProxy("--log", "jsonl")
    fallBehind(command)
    await askAt(command.front, "one\n")

    expect(await stop(command)).toBe(0)

    expect(typesOf(command)).toEqual(["dropped", "summary"])
    expect(command.err.all.at(-1)).toMatch(/^understudy: stopped: 1 connection/)
  })

  test("a proxy that people read, totals", async () => {
    const command = await startProxy("--log", "pretty")
    fallBehind(command)
    await askAt(command.front, "one\n")

    expect(await stop(command)).toBe(0)

    expect(command.err.all.slice(-2)).toEqual([
      expect.stringMatching(/^understudy: \d+ lines were lost, for nobody read them$/),
      expect.stringMatching(/^understudy: stopped: 1 connection/)
    ])
    expect(typesOf(command)).toEqual(["summary"])
  })

  test("a strict server, leftovers", async () => {
    const command = await startServe("--strict", "--log", "jsonl")
    fallBehind(command)
    await postChat(command.url)

    expect(await stop(command)).toBe(0)

    expect(typesOf(command)).toEqual(["dropped", "leftovers"])
    expect(command.err.all.at(-2)).toMatch(/^understudy: the server was left with 1 /)
  })

  test("a command that cannot begin, why", async () => {
    const place = folder.write("stands.sock", "no socket")
    const command = start(["proxy", "--listen", place, "--upstream", "./up.sock"])
    fallBehind(command)

    expect(await command.code).toBe(1)
    expect(command.err.all).toEqual([expect.stringContaining("no socket")])
  })

  test.each([
    { telemetry: "baseline", types: ["dropped"] },
    { telemetry: "full", types: ["dropped", "summary"] }
  ])("faults with telemetry $telemetry, what there is", async ({ telemetry, types }) => {
    const command = await onFreePort("--sequence", "success", "--telemetry", telemetry)
    fallBehind(command)
    await ask(command.url)

    expect(await stop(command)).toBe(143)

    expect(typesOf(command)).toEqual(types)
    expect(JSON.parse(command.out.all[1] ?? "")).toMatchObject({ type: "dropped", lines: 2 })
  })
})

// Seen to fail while only a signal counted: who stops by a word, and reads nothing, left a process behind.
describe("its process need not wait for its readers when it was stopped", () => {
  test("by a word", async () => {
    const proxy = await startProxy()
    const server = await startServe()

    proxy.type("stop")
    server.type("quit")

    expect([await proxy.code, await server.code]).toEqual([0, 0])
    expect([proxy.stopsTold(), server.stopsTold()].every((count) => count > 0)).toBe(true)
  })
})
