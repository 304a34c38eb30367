import { writeSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { liveClock } from "../live/clock.ts"
import { leaveUnread } from "../live/unread-output.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import { isInForeground } from "./foreground.ts"

/** What has happened, in whichever order. */
const been = { toldToStop: false, over: false }

/** A command that was told to stop ends, also when nobody reads what it has said. */
const endIfTold = (): void => {
  if (been.toldToStop && been.over) leaveUnread([process.stdout, process.stderr], { exit: () => process.exit() })
}

const toldToStop = (): void => {
  been.toldToStop = true
  endIfTold()
}

/** Entry of the command: joins `run` to this process. */
const io: CommandIo = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: async () => (process.stdin.isTTY && !(await isInForeground()) ? null : process.stdin),
  onSignal(see, { hangUp = false } = {}) {
    for (const signal of ["SIGINT", "SIGTERM", ...(hangUp ? (["SIGHUP"] as const) : [])] as const) {
      process.on(signal, () => {
        toldToStop()
        see(signal)
      })
    }
  },
  toldToStop,
  now: liveClock.now,
  exit: (code) => process.exit(code),
  program: fileURLToPath(import.meta.url)
}

/** Tells a defect of ours and ends at once: what is open would keep the process, and what it does now is not known. */
const failByDefect = (error: unknown): never => {
  const text = error instanceof Error ? error.stack : String(error)
  try {
    // To the handle itself: what is handed to the stream of a pipe may be lost with the process.
    writeSync(process.stderr.fd, `understudy: a defect of understudy itself, please report it:\n${text}\n`)
  } catch {
    // Nobody reads it, and there is nobody else to tell.
  }
  process.exit(exitCodes.failed)
}

// Rejections that nobody handles come here too.
process.on("uncaughtException", failByDefect)

// Node forgets the signal handlers while it takes itself down, and a second Ctrl-C in these milliseconds would end the
// process by signal. To exit from here skips that; all output is written by now, and who listens for the exit hears of it.
process.once("beforeExit", () => process.exit())

const argv = process.argv.slice(2)

const runAsked = async (): Promise<number> =>
  argv[0] === "serve" ? (await import("./run-serve.ts")).runServe(argv, io) : (await import("./run.ts")).run(argv, io)

runAsked().then((code) => {
  process.exitCode = code
  been.over = true
  endIfTold()
}, failByDefect)
