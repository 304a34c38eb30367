import { expect, onTestFinished, test } from "vitest"
import { UnsupportedControl } from "../../src/domain/harness-scope-errors.ts"
import { connectLeader } from "../../src/harness/leader-ipc/connect-leader.ts"
import { requestLine } from "../../src/wire/acp/write-line.ts"
import { liveAgentWorld } from "../harness/agent-world.ts"
import { fakeAgentProcesses } from "./fake-agent-running.ts"

/* The fake leader as a process, and our client of sockets of leaders. */

const { start, folder } = fakeAgentProcesses()

const connected = async (home: string, words: ReadonlyArray<string>) => {
  const leader = start(["leader", "--home", home, ...words])
  await leader.err.first((line) => line.includes("serves"))
  const connection = await connectLeader(liveAgentWorld(), `${home}/leader.sock`)
  onTestFinished(() => connection.disconnect())
  return { leader, connection }
}

test("a leader says what it is, answers requests, and makes room for a newer one", async () => {
  const { leader, connection } = await connected(folder.path("one"), [
    "--binary-version",
    "1.0.0",
    "--ready-after",
    "50"
  ])
  expect(await connection.getLeaderInfo()).toMatchObject({ pid: leader.child.pid, binaryVersion: "1.0.0" })
  await connection.send(requestLine(1, "initialize", { protocolVersion: 1 }))
  expect(JSON.parse(await connection.receive())).toMatchObject({ id: 1, result: { protocolVersion: 1 } })

  expect(await connection.relaunchForUpdate("0.9.0")).toMatchObject({ kind: "declined" })
  expect(await connection.relaunchForUpdate("999.0.0")).toMatchObject({ kind: "relaunching", toVersion: "999.0.0" })

  expect(await connection.closed()).toBe("leaderShutdown")
  expect(connection.shuttingDown()).toEqual({ reason: "auto_update", delayMs: 10_000 })
  expect(await leader.ended).toBe(0)
})

test("a leader of another protocol, or without commands, is not sent any", async () => {
  for (const [name, words] of Object.entries({ protocol: ["--protocol", "999"], caps: ["--caps", ""] })) {
    const { connection } = await connected(folder.path(name), words)

    await expect(connection.getLeaderInfo()).rejects.toBeInstanceOf(UnsupportedControl)
  }
})
