import { fileURLToPath } from "node:url"
import { liveClock } from "../live/clock.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import { isInForeground } from "./foreground.ts"
import { run } from "./run.ts"

/** Entry of the command: joins `run` to this process. */
const io: CommandIo = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: async () => (process.stdin.isTTY && !(await isInForeground()) ? null : process.stdin),
  onSignal(see, { hangUp = false } = {}) {
    process.on("SIGINT", see)
    process.on("SIGTERM", see)
    if (hangUp) process.on("SIGHUP", see)
  },
  now: liveClock.now,
  exit: (code) => process.exit(code),
  program: fileURLToPath(import.meta.url)
}

// Node forgets the signal handlers while it takes itself down, and a second Ctrl-C in these milliseconds would end the
// process by signal. To exit from here skips that; all output is written by then.
process.once("exit", () => process.exit())

run(process.argv.slice(2), io).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const text = error instanceof Error ? error.stack : String(error)
    process.stderr.write(`understudy: a defect of understudy itself, please report it:\n${text}\n`)
    process.exitCode = exitCodes.failed
  }
)
