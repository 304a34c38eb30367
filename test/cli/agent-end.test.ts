import { spawnSync } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { type AgentCommand, agentCommands } from "./agent-running.ts"

/* However a run ends, nothing of its agent is left, and no sandbox. */

// Seen to fail on these bugs, planted one at a time: in src/cli/agent-stop.ts SIGHUP is not asked for, and nothing is done about a stdout
// that is gone; in src/cli/agent.ts the harness kills by itself at a signal (heedsSignals), or is not closed.

const { start, folder, cli } = agentCommands()

const args = (...words: ReadonlyArray<string>): ReadonlyArray<string> => words.map((word) => `--agent-arg=${word}`)
const never = args("--delay", "session/prompt=600000")

const nothingIsLeft = async (command: AgentCommand): Promise<void> => {
  await command.agentIsGone()
  expect(command.sandboxes()).toEqual([])
}

describe.runIf(process.platform === "linux")("a headless run", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129]
  ] as const)("that gets %s ends with exit code %d", async (signal, code) => {
    const command = start(["fixture", "--prompt", "x", ...never, ...args("--ignore-term")])
    await command.agentRuns()

    command.child.kill(signal)

    expect(await command.ended).toBe(code)
    await nothingIsLeft(command)
    expect(command.err.all).toContain(`understudy agent: stopped by ${signal}`)
  })

  test("that is killed leaves no agent", async () => {
    const command = start(["fixture", "--prompt", "x", ...never])
    await command.agentRuns()

    command.child.kill("SIGKILL")

    expect(await command.ended).toBe("SIGKILL")
    await command.agentIsGone()
  })
})

/** A session whose turn runs: the agent asks for permission, and then does not go on with the first answer. */
const inTurn = async (...behaviour: ReadonlyArray<string>): Promise<AgentCommand> => {
  const command = start(["fixture", "--acp", ...args("--ask-permission", "allow_once", ...behaviour)])
  command.child.stdin.write("one\n")
  await command.err.first((line) => line.startsWith("  permission for "))
  return command
}

describe.runIf(process.platform === "linux")("a session", () => {
  test("goes on after a turn that Ctrl-C cancelled, and ends with its input", async () => {
    const command = await inTurn("--delay", "session/prompt#1@1=600000")

    command.child.kill("SIGINT")
    await command.err.first((line) => line.startsWith("  cancelled, "))
    command.child.stdin.end("two")

    expect(await command.ended).toBe(0)
    expect(command.out.all).toEqual(["Echo: ", "Echo: two"])
    await nothingIsLeft(command)
  })

  test("ends by a second Ctrl-C, where the agent does not heed the first", async () => {
    const command = await inTurn("--silent", "session/prompt@1")

    command.child.kill("SIGINT")
    await command.err.first((line) => line.endsWith("once more ends the session"))
    // What comes within a moment is the same Ctrl-C.
    const again = setInterval(() => command.child.kill("SIGINT"), 100)

    expect(await command.ended).toBe(130)
    clearInterval(again)
    await nothingIsLeft(command)
  })

  test.each([
    ["SIGINT", 130],
    ["SIGHUP", 129]
  ] as const)("ends by %s while nobody speaks, with exit code %d", async (signal, code) => {
    const command = await inTurn()
    await command.err.first((line) => line.startsWith("  end_turn, "))

    command.child.kill(signal)

    expect(await command.ended).toBe(code)
    await nothingIsLeft(command)
  })

  test("ends by SIGTERM in a turn", async () => {
    const command = await inTurn("--delay", "session/prompt@1=600000")

    command.child.kill("SIGTERM")

    expect(await command.ended).toBe(143)
    await nothingIsLeft(command)
  })

  test("ends when its agent does, also while nobody speaks", async () => {
    const command = await inTurn()
    await command.err.first((line) => line.startsWith("  end_turn, "))

    for (const pid of command.agents()) process.kill(pid, "SIGKILL")

    expect(await command.ended).toBe(1)
    expect(command.err.all).toContain("understudy agent: fixture agent stdio has ended with signal SIGKILL")
    await nothingIsLeft(command)
  })

  test("ends with exit code 1 when nobody reads its words any more", async () => {
    const command = await inTurn()
    await command.err.first((line) => line.startsWith("  end_turn, "))

    command.child.stdout.destroy()
    command.child.stdin.write("two\n")

    expect(await command.ended).toBe(1)
    expect(command.err.all).toContain("understudy agent: nobody reads stdout any more")
    await nothingIsLeft(command)
  })

  test("that is killed leaves no agent", async () => {
    const command = await inTurn("--delay", "session/prompt@1=600000")

    command.child.kill("SIGKILL")

    expect(await command.ended).toBe("SIGKILL")
    await command.agentIsGone()
  })
})

// Seen to fail when src/cli/agent.ts does not wait for what it printed last (the record then is lost with exit code 0), and when
// src/cli/agent-stop.ts takes every refused write for a reader that is gone.
test.runIf(process.platform === "linux").each([
  [[], "ENOSPC"],
  [["--json"], "ENOSPC"]
])("a run whose words cannot be written has failed, and says so: %j", (words, reason) => {
  const stdout = openSync("/dev/full", "w")
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TMPDIR: folder.path("") }
  const command = [cli, "agent", "fixture", "--prompt", "x", ...words]
  const { status, stderr } = spawnSync(process.execPath, command, { env, stdio: ["ignore", stdout, "pipe"] })
  closeSync(stdout)

  expect(status).toBe(1)
  expect(String(stderr)).toContain(`understudy agent: cannot write to stdout: ${reason}`)
})

// Seen to fail while the command ended its process from a listener before that of the guard.
test.runIf(process.platform === "linux")("a defect is told, and leaves neither agent nor sandbox", async () => {
  const planted = 'process.on("SIGUSR2", () => { throw new Error("planted") })'
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(planted)}"`
  const command = start(["fixture", "--prompt", "x", ...never], { NODE_OPTIONS })
  await command.agentRuns()

  command.child.kill("SIGUSR2")

  expect(await command.ended).toBe(1)
  expect(command.err.all).toContain("Error: planted")
  await nothingIsLeft(command)
})

test.runIf(process.platform === "linux")("several runs at once have each an agent of their own", async () => {
  const commands = ["one", "two"].map((text) => start(["fixture", "--prompt", text]))

  expect(await Promise.all(commands.map(({ ended }) => ended))).toEqual([0, 0])
  expect(commands.map(({ out }) => out.all)).toEqual([["Echo: one"], ["Echo: two"]])
  for (const command of commands) await nothingIsLeft(command)
})
