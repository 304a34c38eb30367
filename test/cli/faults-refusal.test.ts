import { PassThrough } from "node:stream"
import { afterEach, describe, expect, test } from "vitest"
import type { CommandIo, StopSignal } from "../../src/cli/command-io.ts"
import { faults } from "../../src/cli/faults.ts"
import { readFaults } from "../../src/cli/faults-check.ts"
import { faultsOptions } from "../../src/cli/faults-options.ts"
import { readOptions } from "../../src/cli/option-table.ts"
import { makeManualClock } from "../../src/live/manual-clock.ts"
import { start, stopAll } from "./fake-io.ts"
import { connect, freePort, occupy } from "./faults-ports.ts"
import { ask, onFreePort, records, startFaults, stop, tryTo } from "./faults-running.ts"
import { linesOf } from "./lines.ts"

/* fault-server.md, sections 4.4 and 9.2 and scenarios 42, 43 and 45, in this process. */

afterEach(stopAll)

describe("a port that refuses at first", () => {
  /** The command with a clock that stands still until it is advanced. */
  const startSlowly = async (...argv: ReadonlyArray<string>) => {
    const read = readOptions(faultsOptions, argv)
    if (!read.ok) throw new Error(read.problems.join())
    const watchers: Array<(signal: StopSignal) => void> = []
    const stdout = new PassThrough()
    const io: CommandIo = {
      stdout,
      stderr: new PassThrough().resume(),
      stdin: async () => null,
      onSignal: (see) => void watchers.push(see),
      now: () => 0,
      exit: () => {}
    }
    const clock = makeManualClock()
    const out = linesOf(stdout)
    const code = faults(await readFaults(read.given), io, { clock })
    const signal = (name: StopSignal): void => {
      for (const see of watchers) see(name)
    }
    return { out, code, clock, signal }
  }

  test.each([
    { entry: "connection_refused", option: ["--listen-delay-ms", "800"], ms: 800 },
    { entry: "connection_refused", option: [], ms: 750 },
    { entry: "connection_refused:800", option: [], ms: 800 },
    { entry: "connection_refused,connection_refused:50", option: [], ms: 800 }
  ])("is told unavailable for $ms ms by $entry, and answers then", async ({ entry, option, ms }) => {
    const port = await freePort()
    const argv = ["--sequence", `${entry},success`, "--port", String(port), ...option]
    const { out, code, clock, signal } = await startSlowly(...argv)

    await out.record("unavailable")
    await clock.advance(ms - 1)
    expect(await connect(port)).toBe("ECONNREFUSED")
    await clock.advance(1)
    const ready = await out.record("ready")
    await ask(String(ready["url"]))

    signal("SIGTERM")
    expect(await code).toBe(143)
    const baseURL = `http://127.0.0.1:${port}/v1`
    expect(out.all[0]).toBe(`{"type":"unavailable","baseURL":"${baseURL}","listenDelayMs":${ms}}`)
    expect(out.all.map((line) => JSON.parse(line).type)).toEqual(["unavailable", "ready", "request", "result"])
    expect(JSON.parse(out.all[2] ?? "")).toMatchObject({ attempt: 1, behavior: "success" })
  })

  test.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 }
  ] as const)("ends by $signal without having been ready", async ({ signal, code }) => {
    const argv = ["--sequence", "connection_refused,success", "--port", String(await freePort())]
    const command = await startSlowly(...argv, "--telemetry", "full")
    await command.out.record("unavailable")

    command.signal(signal)

    expect(await command.code).toBe(code)
    expect(command.out.all).toHaveLength(1)
  })

  test("finds only then that another program has it", async () => {
    const port = await freePort()
    const other = await occupy(port)
    const argv = ["--sequence", "connection_refused,success", "--listen-delay-ms", "0", "--port", String(port)]

    const command = start(["faults", ...argv])

    expect(await command.code).toBe(1)
    other?.close()
    expect(records(command).map(({ type }) => type)).toEqual(["unavailable"])
    expect(command.err.all[0]).toContain("EADDRINUSE")
  })
})

describe("a gap in the script", () => {
  test("can be ended by a signal", async () => {
    const command = await onFreePort("--sequence", "success,connection_refused:99999,empty")
    await ask(command.url)
    await command.out.record("unavailable")

    expect(await stop(command, "SIGINT")).toBe(130)
    expect(records(command).map(({ type }) => type)).toEqual("ready request result unavailable".split(" "))
  })

  test("is told at both ends, and the script goes on behind it", async () => {
    const command = await onFreePort("--sequence", "success,connection_refused:20,empty")

    await ask(command.url)
    await command.out.record("available")
    await ask(command.url)
    await stop(command)

    expect(records(command).map(({ type }) => type)).toEqual(
      "ready request result unavailable available request result".split(" ")
    )
  })

  test("that another program uses to take the port ends the command with an error", async () => {
    const port = await freePort()
    const argv = ["--sequence", "stall,success,connection_refused:1000,success", "--telemetry", "full"]
    const command = await startFaults(...argv, "--port", String(port))
    const stalled = tryTo(command.url)
    await command.out.record("result")

    await ask(command.url)
    await command.out.record("unavailable")
    const other = await occupy(port)
    const code = await command.code

    other?.close()
    await stalled
    expect(code).toBe(1)
    expect(records(command).slice(-3)).toEqual([
      expect.objectContaining({ type: "closed", attempt: 1, by: "server" }),
      { type: "error", code: expect.stringMatching(/^E[A-Z]+$/) },
      expect.objectContaining({ type: "summary", requests: 2 })
    ])
  })
})

test("a signal that came before the start ends it without a record", async () => {
  const read = readOptions(faultsOptions, ["--sequence", "success", "--port", "0"])
  if (!read.ok) throw new Error(read.problems.join())
  const stdout = new PassThrough()
  const out = linesOf(stdout)
  const io: CommandIo = {
    stdout,
    stderr: new PassThrough().resume(),
    stdin: async () => null,
    onSignal: (see) => see("SIGINT"),
    now: () => 0,
    exit: () => {}
  }

  expect(await faults(await readFaults(read.given), io)).toBe(130)
  expect(out.all).toEqual([])
})

describe("a start that fails", () => {
  test.each([
    { what: "a port in use", argv: [], code: /EADDRINUSE/ },
    { what: "an address of another machine", argv: ["--host", "192.0.2.1"], code: /EADDRNOTAVAIL/ },
    { what: "a name that there is not", argv: ["--host", "none.invalid"], code: /ENOTFOUND|EAI_AGAIN/ }
  ])("$what: exit code 1 with the code of the system, usage, and nothing on stdout", async ({ argv, code }) => {
    const port = await freePort()
    const other = await occupy(port)

    const command = start(["faults", "--sequence", "success", "--port", String(port), ...argv])

    expect(await command.code).toBe(1)
    other?.close()
    expect(command.out.all).toEqual([])
    expect(command.err.all[0]).toMatch(code)
    expect(command.err.all.slice(1, 3)).toEqual(["", expect.stringMatching(/^Usage: /)])
  })
})
