import { appendFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { packageVersion } from "../campaign/package-version.ts"
import type { FakeAgentPorts, RunningFakeAgent } from "../harness/fake-agent/agent-ports.ts"
import { askModelOver } from "../live/ask-model.ts"
import { liveClock } from "../live/clock.ts"
import { closeOwnOutput, crashBy } from "../live/own-process.ts"
import { textFolder, textMemory } from "../live/text-folder.ts"
import type { CommandIo } from "./command-io.ts"
import { fakeAgentOptions as options } from "./fake-agent-options.ts"
import type { GivenOptions } from "./option-table.ts"

/**
 * What a fake agent has in a process of its own.
 *
 * **Takes** `ended`: told the exit code when the process is about to exit
 *
 * @since 0.1.0
 * @category constructors
 */
export const fakeAgentPorts = (
  given: GivenOptions,
  { io, ended }: { readonly io: CommandIo; readonly ended: (code: number) => void }
): FakeAgentPorts => {
  const home = given.value(options.home)
  /** What is written to a closed handle could reach a file that was opened since. */
  let isClosed = false
  const toStdout = (bytes: Uint8Array | string, done: () => void): void => {
    if (isClosed) done()
    else io.stdout.write(bytes, done)
  }
  /** When everything that was written has left us. */
  const flushed = (act: () => void): void => toStdout("", () => io.stderr.write("", () => act()))
  return {
    clock: liveClock,
    version: packageVersion(),
    store: given.has(options.persist) && home !== undefined ? textFolder(join(home, "sessions")) : textMemory(),
    askModel: askModelOver({
      baseUrl: given.value(options["mock-url"]) ?? "",
      apiKey: given.value(options["api-key"]) ?? "none",
      model: "fake-model"
    }),
    write: (bytes) => toStdout(bytes, () => {}),
    complain: (text) => void io.stderr.write(text),
    closeOutput() {
      if (!isClosed) io.stdout.write("", () => closeOwnOutput())
      isClosed = true
    },
    end: (end) =>
      flushed(() => {
        if (end.kind === "crash") crashBy(end.signal)
        else {
          ended(end.code)
          io.exit(end.code)
        }
      })
  }
}

/** How often an agent that stays has something to do: keeping its process alive. */
const idleMs = 3_600_000

/**
 * Gives an agent what comes in; without a stream the end of it.
 *
 * **Takes** `log`: a file that the bytes are appended to before the agent reads them
 *
 * @since 0.1.0
 * @category running
 */
export const feedAgent = (
  agent: RunningFakeAgent,
  options: { readonly stdin: Readable | null; readonly log: string | undefined; readonly keepsAlive: boolean }
): void => {
  const { stdin, log, keepsAlive } = options
  const end = once(() => agent.inputEnded())
  const stay = (): void => void liveClock.arm(idleMs, "fake agent/idle", stay)
  if (keepsAlive) stay()
  if (stdin === null) end()
  stdin?.on("data", (bytes: Buffer) => {
    if (log !== undefined) appendFileSync(log, bytes)
    agent.received(bytes)
  })
  stdin?.on("end", end)
  stdin?.on("error", end)
}

const once = (act: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}
