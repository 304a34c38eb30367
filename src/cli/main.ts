import { fileURLToPath } from "node:url"
import { liveClock } from "../live/clock.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import { isInForeground } from "./foreground.ts"
import { leaveUnread } from "./unread-output.ts"

/** Whether a signal has asked it to stop. */
let isStopped = false
/** Node is about to tell what nobody has caught, and to exit. */
let isLost = false

/** Entry of the command: joins `run` to this process. */
const io: CommandIo = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: async () => (process.stdin.isTTY && !(await isInForeground()) ? null : process.stdin),
  onSignal(see, { hangUp = false } = {}) {
    for (const signal of ["SIGINT", "SIGTERM", ...(hangUp ? (["SIGHUP"] as const) : [])] as const) {
      process.on(signal, () => {
        isStopped = true
        see(signal)
      })
    }
  },
  now: liveClock.now,
  exit: (code) => process.exit(code),
  program: fileURLToPath(import.meta.url)
}

// Node forgets the signal handlers while it takes itself down, and a second Ctrl-C in these milliseconds would end the
// process by signal. To exit from here skips that; all output is written by then.
process.once("exit", () => {
  if (!isLost) process.exit()
})
process.once("uncaughtExceptionMonitor", () => {
  isLost = true
})

const argv = process.argv.slice(2)

const runAsked = async (): Promise<number> =>
  argv[0] === "serve" ? (await import("./run-serve.ts")).runServe(argv, io) : (await import("./run.ts")).run(argv, io)

runAsked().then(
  (code) => {
    process.exitCode = code
    if (isStopped) leaveUnread([process.stdout, process.stderr], { clock: liveClock, exit: () => process.exit() })
  },
  (error: unknown) => {
    const text = error instanceof Error ? error.stack : String(error)
    process.stderr.write(`understudy: a defect of understudy itself, please report it:\n${text}\n`)
    process.exitCode = exitCodes.failed
  }
)
