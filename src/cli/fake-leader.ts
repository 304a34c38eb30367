import { join } from "node:path"
import { packageVersion } from "../campaign/package-version.ts"
import { readFakeScript } from "../harness/fake-agent/read-script.ts"
import { calmScript } from "../harness/fake-agent/script.ts"
import { startFakeLeader } from "../harness/fake-leader/fake-leader.ts"
import type { FakeLeaderPorts } from "../harness/fake-leader/leader-ports.ts"
import { calmLeader, type FakeLeaderScript } from "../harness/fake-leader/leader-script.ts"
import { makeTrace } from "../kernel/trace.ts"
import { askModelOver } from "../live/ask-model.ts"
import { liveClock } from "../live/clock.ts"
import { liveLeaderLock } from "../live/leader-lock.ts"
import { lineAppender } from "../live/line-appender.ts"
import { crashBy, startGrandchild } from "../live/own-process.ts"
import { makeLiveStreams } from "../live/stream-sockets.ts"
import { textFolder } from "../live/text-folder.ts"
import { makeSupervisor } from "../supervisor/supervisor.ts"
import { refuse } from "./command.ts"
import type { CommandIo } from "./command-io.ts"
import { fakeAgentOptions as agentOptions } from "./fake-agent-options.ts"
import { scriptWithOptions } from "./fake-agent-script.ts"
import { ownLeaderOptions as options } from "./fake-leader-options.ts"
import { leaderPlaces } from "./fake-leader-places.ts"
import type { GivenOptions } from "./option-table.ts"
import { scriptText } from "./script-file.ts"

/**
 * Is a fake leader, until it ends.
 *
 * **Gives** the exit code; by then the process was asked to exit with it
 *
 * @since 0.1.0
 * @category running
 */
export const fakeLeader = async (given: GivenOptions, io: CommandIo): Promise<number> => {
  const script = leaderScript(given)
  if ("problem" in script) return refuse(io, "understudy fake-agent leader", [script.problem])
  const { grandchild, ignoreTerm } = script.agent
  if (grandchild !== null) io.stderr.write(`grandchild ${startGrandchild(grandchild) ?? "was refused"}\n`)
  return new Promise((ended) => {
    const supervisor = makeSupervisor({ clock: liveClock, trace: makeTrace(liveClock) })
    const leader = startFakeLeader(script, { supervisor, ports: leaderPorts(given, { io, ended }) })
    io.onSignal((signal) => {
      if (signal !== "SIGTERM" || !ignoreTerm) leader.terminate()
    })
  })
}

const leaderScript = (given: GivenOptions): FakeLeaderScript | { readonly problem: string } => {
  const file = given.value(agentOptions.script)
  const calm = calmLeader(given.value(options["binary-version"]) ?? packageVersion())
  try {
    const base = file === undefined ? calmScript : readFakeScript(JSON.parse(scriptText(file)))
    return {
      version: calm.version,
      protocolVersion: given.value(options.protocol) ?? calm.protocolVersion,
      capabilities: given.value(options.caps) ?? calm.capabilities,
      readyAfterMs: given.value(options["ready-after"]) ?? calm.readyAfterMs,
      listens: !given.has(options["no-socket"]),
      exitAfter: given.value(options["exit-after"]) ?? calm.exitAfter,
      agent: scriptWithOptions(base, given)
    }
  } catch (error) {
    return { problem: `cannot use ${JSON.stringify(file)}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

const leaderPorts = (
  given: GivenOptions,
  { io, ended }: { readonly io: CommandIo; readonly ended: (code: number) => void }
): FakeLeaderPorts => {
  const { home, socket, lock, events } = leaderPlaces(given)
  return {
    clock: liveClock,
    pid: process.pid,
    streams: makeLiveStreams(),
    socketPath: socket,
    lockPath: lock,
    lock: liveLeaderLock(lock),
    agent: {
      store: textFolder(join(home, "sessions")),
      askModel: askModelOver({
        baseUrl: given.value(agentOptions["mock-url"]) ?? "",
        apiKey: given.value(agentOptions["api-key"]) ?? "none",
        model: "fake-model"
      })
    },
    log: (line) => void io.stderr.write(`${line}\n`),
    record: lineAppender(events),
    end: (end) =>
      io.stderr.write("", () => {
        if (end.kind === "crash") crashBy(end.signal)
        else {
          ended(end.code)
          io.exit(end.code)
        }
      })
  }
}
