import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { fakeAgentProcesses } from "./fake-agent-running.ts"
import { sessionOf, talkTo } from "./leader-talk.ts"

/* The fake leader as its users have it: a process. What it does in detail is tested in virtual time. */

const { start, launch, folder } = fakeAgentProcesses()

let homes = 0
const newHome = (): string => folder.path(`home-${++homes}`)

const leaderIn = (home: string, words: ReadonlyArray<string> = []) => start(["leader", "--home", home, ...words])

const hello = [{ type: "text", text: "hello" }]

describe("a leader as a process", () => {
  test("has two clients, each with its own ids, and both hear of a session that both have", async () => {
    const home = newHome()
    const leader = leaderIn(home)
    const [one, two] = [await talkTo(`${home}/leader.sock`), await talkTo(`${home}/leader.sock`)]
    expect(await one.register()).toMatchObject({ client_id: 1, leader_protocol_version: 1 })
    await two.register()

    const sessionId = sessionOf(await one.ask(7, "session/new", { cwd: "/", mcpServers: [] }))
    expect(await two.ask("a", "session/load", { sessionId, cwd: "/", mcpServers: [] })).toMatchObject({ id: "a" })
    const prompted = await two.ask(7, "session/prompt", { sessionId, prompt: hello })

    expect(prompted).toMatchObject({ id: 7, result: { stopReason: "end_turn" } })
    expect(await one.line('"text":"hello"')).toContain(sessionId)
    expect(readFileSync(`${home}/leader.lock`, "utf8")).toBe(String(leader.child.pid))
  })

  test("ends by SIGTERM in order: clients are told, lock and socket are gone, the exit code is 0", async () => {
    const home = newHome()
    const leader = leaderIn(home)
    const client = await talkTo(`${home}/leader.sock`)
    await client.register()
    leader.child.kill("SIGTERM")

    expect(await leader.ended).toBe(0)
    await client.closed
    expect(client.heard.slice(-2)).toEqual([
      { type: "shutting_down", reason: "manual", delay_ms: 0 },
      { type: "shutdown" }
    ])
    expect([`${home}/leader.sock`, `${home}/leader.lock`, `${home}/leader.lock.guard`].filter(existsSync)).toEqual([])
  })

  test("that was killed leaves lock and socket behind, and the next one has them and its sessions", async () => {
    const home = newHome()
    const first = leaderIn(home)
    const before = await talkTo(`${home}/leader.sock`)
    await before.register()
    const sessionId = sessionOf(await before.ask(1, "session/new", { cwd: "/", mcpServers: [] }))
    await before.ask(2, "session/prompt", { sessionId, prompt: hello })
    first.child.kill("SIGKILL")
    await first.ended
    expect(readFileSync(`${home}/leader.lock`, "utf8")).toBe(String(first.child.pid))

    const second = leaderIn(home)
    await second.err.first((line) => line.includes("serves"))
    const after = await talkTo(`${home}/leader.sock`)
    await after.register()
    await after.ask(1, "session/load", { sessionId, cwd: "/", mcpServers: [] })

    expect(await after.line("Echo: hello")).toContain("agent_message_chunk")
    expect(readFileSync(`${home}/leader.lock`, "utf8")).toBe(String(second.child.pid))
  })

  test("exits with 0 when another one is there, and leaves that one alone", async () => {
    const home = newHome()
    const first = leaderIn(home)
    await first.err.first((line) => line.includes("serves"))
    const second = leaderIn(home)

    expect(await second.ended).toBe(0)
    expect(second.err.all).toEqual([`another leader serves ${home}/leader.sock`])
    expect(await (await talkTo(`${home}/leader.sock`)).register()).toMatchObject({ type: "registered" })
  })

  test("ends by itself, ignores SIGTERM, or never listens, as it is told", async () => {
    expect(await leaderIn(newHome(), ["--exit-after", "0=4", "--no-socket"]).ended).toBe(4)

    const home = newHome()
    const deaf = leaderIn(home, ["--ignore-term"])
    await deaf.err.first((line) => line.includes("serves"))
    deaf.child.kill("SIGTERM")
    expect(await (await talkTo(`${home}/leader.sock`)).register()).toMatchObject({ type: "registered" })
    deaf.child.kill("SIGKILL")
    expect(await deaf.ended).toBe("SIGKILL")
  })

  test("says a version, tells a client of another one, and makes room for a newer one", async () => {
    const home = newHome()
    const leader = start(["leader", "--caps", "control_v1,relaunch_v1"], {
      FIXTURE_HOME: home,
      FIXTURE_BINARY_VERSION: "1.0.0"
    })
    const client = await talkTo(`${home}/leader.sock`)
    expect(await client.register("2.0.0")).toMatchObject({ leader_binary_version: "1.0.0" })
    expect(JSON.parse(await client.line("x.ai/leader/version_mismatch"))).toMatchObject({
      params: { clientVersion: "2.0.0", leaderVersion: "1.0.0" }
    })
    client.send({ type: "control", request_id: "r", command: { type: "relaunch_for_update", to_version: "999.0.0" } })

    expect(await client.first("control_result")).toEqual({
      type: "control_result",
      request_id: "r",
      result: { Ok: { type: "relaunching", from_version: "1.0.0", to_version: "999.0.0", grace_ms: 10_000 } }
    })
    expect(await leader.ended).toBe(0)
    expect(leader.err.all.some((line) => line.includes("Version mismatch"))).toBe(true)
    expect(readFileSync(`${home}/logs/unified.jsonl`, "utf8")).toContain("leader_relaunching")
  })
})

describe("of several leaders at once", () => {
  test("exactly one serves, also over the lock of one that is gone", async () => {
    const home = newHome()
    const killed = leaderIn(home)
    await killed.err.first((line) => line.includes("serves"))
    killed.child.kill("SIGKILL")
    await killed.ended
    const rivals = Array.from({ length: 4 }, () => leaderIn(home))
    const ends = await Promise.race(
      rivals.map(async (_, serving) => {
        const others = rivals.filter((_, index) => index !== serving)
        return Promise.all(others.map(({ ended }) => ended))
      })
    )

    expect(ends).toEqual([0, 0, 0])
    const serving = rivals.filter(({ err }) => err.all.some((line) => line.startsWith("leader ")))
    expect(serving).toHaveLength(1)
  })
})

test("a command line without a place is refused", async () => {
  const { ended } = launch(["leader"])

  expect(await ended).toBe(2)
})
