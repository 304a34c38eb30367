import { PassThrough } from "node:stream"
import { Effect } from "effect"
import { workHere } from "../../src/campaign/working-here.ts"
import type { CommandIo, StopSignal } from "../../src/cli/command-io.ts"
import { behindBytesMax } from "../../src/cli/line-out.ts"
import { run } from "../../src/cli/run.ts"
import { liveClock } from "../../src/live/clock.ts"
import { type Lines, linesOf } from "./lines.ts"

/** A command in this process: its streams, and what a test does to it. */
export interface RunningCommand {
  readonly out: Lines
  readonly err: Lines
  readonly stdout: PassThrough
  readonly stderr: PassThrough
  readonly stdin: PassThrough
  readonly code: Promise<number>
  /** Codes with which the command wanted to end the process at once. */
  readonly exits: ReadonlyArray<number>
  /** How often the command has said, other than by a signal, that it was told to stop. */
  readonly stopsTold: () => number
  /** Resolves when the command has begun to listen for signals. */
  readonly heeding: Promise<void>
  readonly type: (line: string) => void
  readonly signal: (signal: StopSignal) => void
  readonly advance: (ms: number) => void
}

/** Everything started here that has not ended; `stopAll` is for `afterEach`. */
const running = new Set<RunningCommand>()

export const start = (argv: ReadonlyArray<string>, options: { readonly hasStdin?: boolean } = {}): RunningCommand => {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const stdin = new PassThrough()
  const watchers = new Set<(signal: StopSignal) => void>()
  const exits: Array<number> = []
  let now = 0
  let stopsTold = 0
  let heed = (): void => {}
  const heeding = new Promise<void>((resolve) => {
    heed = resolve
  })
  const io: CommandIo = {
    stdout,
    stderr,
    stdin: async () => (options.hasStdin === false ? null : stdin),
    onSignal(see) {
      watchers.add(see)
      heed()
    },
    toldToStop: () => void stopsTold++,
    now: () => now,
    exit: (code) => void exits.push(code),
    openSimWorker: (seat) => workHere({ ...seat, runSync: Effect.runSync, now: liveClock.now })
  }
  const command: RunningCommand = {
    out: linesOf(stdout),
    err: linesOf(stderr),
    stdout,
    stderr,
    stdin,
    exits,
    stopsTold: () => stopsTold,
    heeding,
    code: run(argv, io),
    type: (line) => void stdin.write(`${line}\n`),
    signal: (signal) => {
      for (const see of watchers) see(signal)
    },
    advance: (ms) => {
      now += ms
    }
  }
  running.add(command)
  return command
}

/** Starts `serve` on a free port and waits until it answers. */
export const startServe = async (
  ...argv: ReadonlyArray<string>
): Promise<RunningCommand & { readonly url: string }> => {
  const command = start(["serve", "--port", "0", ...argv])
  const ready = await command.out.record("ready")
  return { ...command, url: String(ready["url"]) }
}

/** From now on the readers of a command are as far behind as it can be: all lines are lost that may be. */
export const fallBehind = ({ stdout, stderr }: RunningCommand): void => {
  for (const stream of [stdout, stderr]) Object.defineProperty(stream, "writableLength", { value: behindBytesMax + 1 })
}

/** Runs a command that ends by itself. */
export const finish = async (
  ...argv: ReadonlyArray<string>
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> => {
  const command = start(argv)
  const code = await command.code
  return { code, out: command.out.all.join("\n"), err: command.err.all.join("\n") }
}

export const stopAll = async (): Promise<void> => {
  for (const command of running) {
    command.signal("SIGTERM")
    await command.code
  }
  running.clear()
}
