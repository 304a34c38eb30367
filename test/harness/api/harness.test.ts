import { existsSync } from "node:fs"
import { mkdtemp, rmdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { fakeLeaders, startHarness, withHarness } from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"

/* The public entry with real processes: the fake agent of this package. */

const { cli } = fakeAgentProcesses()

const options = () => ({ variables: { FIXTURE_AGENT_BINARY: cli }, timing: false, watchdog: false })

describe("a harness", () => {
  test("starts agents against its mock, in a session and for one prompt, and exact bytes", async () => {
    await using harness = await startHarness(options())
    const mock = await harness.startMock()
    const agent = await harness.startAgent({ profile: "fixture", mock, leadingArgs: ["--via-mock"] })
    await agent.initialize()
    const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)
    const reply = await agent.prompt(sessionId, "say hello")
    const { exitCode, said } = await harness.runPrompt({ profile: "fixture", prompt: "hello" })
    const raw = await harness.startRawClient({ profile: "fixture" })
    await raw.sendLine('{"jsonrpc":"2.0","id":"A-1","method":"initialize","params":{"protocolVersion":1}}')

    expect(reply).toMatchObject({ ok: true, stopReason: "end_turn" })
    expect([agent.capturedText(), mock.requests().length]).toEqual(["Echo: say hello", 1])
    expect([exitCode, said.answer]).toEqual([0, "Echo: hello"])
    expect(await raw.responseForId("A-1")).toMatchObject({ result: { protocolVersion: 1 } })
  })

  test("gives everything back when it closes, and refuses what comes after", async () => {
    const harness = await startHarness(options())
    const agent = await harness.startAgent({ profile: "fixture" })
    const { root } = agent.sandbox.paths
    const program = await harness.spawn({ program: "sh", args: ["-c", "sleep 600"] })
    await harness.close()

    expect([agent.pid(), program.pid, existsSync(root)]).toEqual([undefined, undefined, false])
    await expect(harness.spawn({ program: "sh" })).rejects.toThrow("cannot be added: the scope harness is closed")
  })

  test("leaves a sandbox that was taken to those who took it, until it closes", async () => {
    const harness = await startHarness(options())
    const agent = await harness.startAgent({ profile: "fixture" })
    const sandbox = agent.takeSandbox()
    await agent.close()

    expect(existsSync(sandbox.paths.root)).toBe(true)
    await harness.close()
    expect(existsSync(sandbox.paths.root)).toBe(false)
  })

  test("closes what a body left open, and fails as the body does", async () => {
    const failure = new Error("the body's own")
    const failed = withHarness(
      async (harness) => {
        await harness.startAgent({ profile: "fixture" })
        harness.defer("a file", () => Promise.reject(new Error("is busy")))
        throw failure
      },
      { ...options(), tell: () => {} }
    )

    await expect(failed).rejects.toBe(failure)
  })

  test("connects to leaders, real and fake, and gives connections back before them", async () => {
    const harness = await startHarness(options())
    const leader = await harness.startLeader({ profile: "fixture" })
    const connection = await harness.connectLeader(leader.socketPath)
    const fake = await harness.startFakeLeader({ kind: "tcp", host: "127.0.0.1", port: 0 }, fakeLeaders.normal())
    const other = await harness.connectLeader(fake.address)

    expect((await connection.getLeaderInfo()).pid).toBe(leader.leaderPid())
    expect(fake.clients()).toEqual({ accepted: 1, open: 1 })
    await harness.close()
    expect([connection.disconnectReason(), other.disconnectReason()]).toEqual(["clientInitiated", "clientInitiated"])
  })

  test("puts a fault proxy between a leader and who connects to it, and stops it before the leader", async () => {
    const harness = await startHarness(options())
    const leader = await harness.startLeader({ profile: "fixture" })
    const front = join(await mkdtemp(join(tmpdir(), "us-")), "front.sock")
    const proxy = await harness.startProxy(front, leader.socketPath)
    const connection = await harness.connectLeader(front)

    expect((await connection.getLeaderInfo()).pid).toBe(leader.leaderPid())
    expect(proxy.forwarded("clientToLeader")).toBe(2)
    expect(proxy.severNow()).toBe(1)
    expect(await connection.closed()).toBe("connectionLost")
    await expect(harness.startProxy(front, leader.socketPath)).rejects.toMatchObject({ _tag: "ProxyBindFailed" })
    await harness.close()
    expect(existsSync(front)).toBe(false)
    await rmdir(dirname(front))
  })

  test("refuses what is no profile before anything is made", async () => {
    await using harness = await startHarness(options())
    const written = JSON.parse('{ "id": "mine", "binary": { "command": "mine" } }')

    await expect(harness.startAgent({ profile: written })).rejects.toThrow("or what readProfile gives")
    await expect(harness.startAgent({ profile: "fixtur" })).rejects.toThrow('there is no built-in profile "fixtur"')
  })
})
