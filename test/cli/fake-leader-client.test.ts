import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { afterEach, describe, expect, test } from "vitest"
import { ownerValue, ownerVariable } from "../../src/domain/owner-mark.ts"
import { killMarked } from "../../src/live/kill-marked.ts"
import { markedProcesses, pidAlive } from "../../src/live/proc-files.ts"
import { textsOf } from "../harness/fake-agent/fake-agent-world.ts"
import { type FakeAgentProcess, fakeAgentProcesses } from "./fake-agent-running.ts"

/* Clients of a fake leader as processes; numbers are those of the scenarios of agent-harness.md, section 9. */

const { start, folder } = fakeAgentProcesses()
const runId = randomBytes(16).toString("hex")

afterEach(() => {
  // Leaders that clients have started are children of nobody here; they carry the mark of the client.
  for (const found of markedProcesses({ runId, spawnId: null })) killMarked(found)
})

const leaders = (): ReadonlyArray<number> => markedProcesses({ runId, spawnId: null }).map(({ pid }) => pid)

let homes = 0
const newHome = (): string => folder.path(`home-${++homes}`)

const variables = (home: string) => ({
  FIXTURE_HOME: home,
  FIXTURE_RECONNECT_DELAY: "50",
  [ownerVariable]: ownerValue(runId, homes)
})

/** A leader that serves: a client that comes earlier starts one of its own. */
const leaderIn = async (home: string, words: ReadonlyArray<string> = []): Promise<FakeAgentProcess> => {
  const leader = start(["leader", ...words], variables(home))
  await leader.err.first((line) => line.includes("serves"))
  return leader
}

const clientIn = (home: string, words: ReadonlyArray<string> = []): FakeAgentProcess =>
  start(["leader-client", ...words], variables(home))

/** A session that has had a prompt. */
const session = async (client: FakeAgentProcess, word: string): Promise<string> => {
  client.request("init", "initialize", { protocolVersion: 1 })
  await client.response("init")
  client.request(word, "session/new", { cwd: "/", mcpServers: [] })
  const { sessionId } = Object(await client.response(word)).result
  await prompted(client, { sessionId, text: word })
  return sessionId
}

const prompted = async (client: FakeAgentProcess, { sessionId, text }: { sessionId: string; text: string }) => {
  client.request(`p-${text}`, "session/prompt", { sessionId, prompt: [{ type: "text", text }] })
  return client.response(`p-${text}`)
}

const lockPid = (home: string): number => Number(readFileSync(`${home}/leader.lock`, "utf8"))

const reconnected = (client: FakeAgentProcess): Promise<string> =>
  client.out.first((line) => line.includes("x.ai/leader_reconnected"))

/** Waits until a file holds a text, as long as the test may run. */
const written = async (path: string, text: string): Promise<void> => {
  while (!existsSync(path) || !readFileSync(path, "utf8").includes(text)) await new Promise(setImmediate)
}

const done = { result: { stopReason: "end_turn" } }

describe("clients of a leader", () => {
  test("start one, share it, and leave it there when they end", async () => {
    const home = newHome()
    const [one, two] = [clientIn(home), clientIn(home)]
    const ids = await Promise.all([session(one, "one"), session(two, "two")])

    expect([...ids].sort()).toEqual(["session-1", "session-2"])
    expect(textsOf(one.out.all)).toEqual(["Echo: ", "one"])
    for (const { child } of [one, two]) child.stdin.end()
    expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0])
    // One that had been started for nothing may still be about to see that.
    while (leaders().length > 1) await new Promise(setImmediate)
    expect(leaders()).toEqual([lockPid(home)])
  })

  test("find another one when theirs is killed, and have their sessions again (69)", async () => {
    const home = newHome()
    const leader = await leaderIn(home)
    const clients = [clientIn(home), clientIn(home)]
    const ids = await Promise.all(clients.map((client, index) => session(client, `before-${index}`)))
    expect(lockPid(home)).toBe(leader.child.pid)
    leader.child.kill("SIGKILL")
    await leader.ended

    const lines = await Promise.all(clients.map(reconnected))
    expect(lines).toEqual(
      ids.map(
        (sessionId) => `{"jsonrpc":"2.0","method":"x.ai/leader_reconnected","params":{"sessionId":"${sessionId}"}}`
      )
    )
    for (const [index, client] of clients.entries()) {
      const sessionId = ids[index] ?? ""
      expect(await prompted(client, { sessionId, text: `after-${index}` })).toMatchObject(done)
      expect(textsOf(client.out.all)).toContain(`after-${index}`)
      // What is said again is answered to nobody.
      expect(client.out.all.some((line) => line.includes("leader-replay"))).toBe(false)
    }
    expect(lockPid(home)).not.toBe(leader.child.pid)
    expect(pidAlive(lockPid(home))).toBe(true)
  })

  test("with two sessions have both again, and what is sent meanwhile is answered then (70)", async () => {
    const home = newHome()
    const leader = await leaderIn(home)
    const client = clientIn(home)
    const first = await session(client, "first")
    const second = await session(client, "second")
    leader.child.kill("SIGKILL")
    await leader.ended

    const answers = await Promise.all([
      prompted(client, { sessionId: first, text: "again" }),
      prompted(client, { sessionId: second, text: "anew" })
    ])
    expect(answers).toMatchObject([done, done])
    const told = client.out.all.findIndex((line) => line.includes("x.ai/leader_reconnected"))
    expect(told).toBeGreaterThan(0)
    expect(client.out.all.findIndex((line) => line.includes('"p-again"'))).toBeGreaterThan(told)
  })

  test("replace a leader of an older version, whose clients go over to the new one (71)", async () => {
    const home = newHome()
    const old = await leaderIn(home, ["--binary-version", "1.0.0"])
    // With a shorter delay than the usual one it would be back before the newer leader serves, and start another of its own.
    const usual = ["--reconnect-delay", "1000"]
    const before = clientIn(home, ["--binary-version", "1.0.0", ...usual])
    const sessionId = await session(before, "before")
    const newer = clientIn(home, ["--binary-version", "2.0.0", ...usual])
    await session(newer, "newer")

    expect(await old.ended).toBe(0)
    // The older client may have started leaders of its own version meanwhile; in the end there is none but the newer one.
    await written(`${home}/leader.log`, "Version mismatch: client 1.0.0, leader 2.0.0")
    expect(await prompted(before, { sessionId, text: "after" })).toMatchObject(done)
    expect(before.out.all.some((line) => line.includes("x.ai/leader_reconnected"))).toBe(true)
  })

  test("leave a leader alone that is newer, or whose version says nothing (71)", async () => {
    for (const version of ["2.0.0", "nightly"]) {
      const home = newHome()
      const leader = await leaderIn(home, ["--binary-version", version])
      const client = clientIn(home, ["--binary-version", "1.0.0"])
      await session(client, "x")

      expect(lockPid(home)).toBe(leader.child.pid)
      expect(leader.err.all.some((line) => line.includes("Version mismatch"))).toBe(true)
    }
  })

  test("go over to the next leader when theirs is told to end", async () => {
    const home = newHome()
    const client = clientIn(home, ["--binary-version", "1.0.0"])
    const sessionId = await session(client, "x")
    const pid = lockPid(home)
    process.kill(pid, "SIGTERM")
    await reconnected(client)

    expect(lockPid(home)).not.toBe(pid)
    expect(await prompted(client, { sessionId, text: "y" })).toMatchObject(done)
  })

  test("wait for a leader that is not ready", async () => {
    const home = newHome()
    const client = clientIn(home, ["--ready-after", "200"])
    await session(client, "x")

    expect(existsSync(`${home}/leader.sock`)).toBe(true)
  })

  test("give up when no leader can be started", async () => {
    const client = start(["leader-client", "--home", "/dev/null/nowhere"])

    expect(await client.ended).toBe(1)
    expect(client.err.all[0]).toMatch(/^no leader at \/dev\/null\/nowhere\/leader.sock: its lock cannot be taken/)
  })
})
