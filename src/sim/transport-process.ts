import { EventEmitter } from "node:events"
import { finished, type Readable, type Writable } from "node:stream"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { StdioPair } from "./byte-pair.ts"
import { type PairSide, pairWaits } from "./transport-pair-waits.ts"
import { pipeReader, pipeWriter } from "./transport-pipes.ts"

/** How a process ended: its exit code, or the signal that killed it. */
interface ExitStatus {
  readonly code: number | null
  readonly signal: string | null
}

/**
 * A simulated process as its parent has it, in the shape of `ChildProcess`: event `exit` (code, signal) when it is gone, `close`
 * when its output has ended too.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimChild extends EventEmitter {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly pid: number
  readonly exitCode: number | null
  readonly signalCode: string | null
  readonly killed: boolean
  /** Ends it at once: what it had not yet written is lost. */
  kill(signal?: string): boolean
}

/**
 * A simulated process as its own code has it: of `process` the streams, `pid` and `exit`, and no more. Code that has its streams
 * given needs nothing else; it has no `argv` and `env` of its own, and hears of no signal, which ends it at once.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimInside {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly pid: number
  /** Ends it when its output has left. */
  exit(code?: number): void
}

/**
 * Both sides of a simulated process.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimProcess {
  readonly parent: SimChild
  readonly child: SimInside
}

/** A simulated process, and who waits for whom at its streams. */
interface MadeProcess {
  readonly process: SimProcess
  waiting(): ReadonlyArray<string>
}

/** @since 0.1.0 @category constructors */
export const makeSimProcess = (
  kernel: SimKernel,
  { parent, child }: StdioPair,
  { name, parentName, pid }: { readonly name: string; readonly parentName: string; readonly pid: number }
): MadeProcess => {
  const stdin = pipeReader(child.stdin)
  const stdout = pipeWriter(child.stdout)
  const stderr = pipeWriter(child.stderr)
  let isGone = false

  const gone = (status: ExitStatus): void => {
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
    const op = { kind: "task", label: "process/exit", actor: parentName, channel: `${name}.exit` } as const
    kernel.plan(0, op, () => outside.ended(status))
  }
  const leave = (how: () => void): boolean => {
    if (isGone) return false
    isGone = true
    how()
    return true
  }
  const outside = new OutsideProcess({
    stdin: pipeWriter(parent.stdin),
    stdout: pipeReader(parent.stdout),
    stderr: pipeReader(parent.stderr),
    pid,
    kill: (signal) => leave(() => gone({ code: null, signal }))
  })
  const inside: PairSide = {
    name: `the child of ${name}`,
    reads: [{ what: "stdin", stream: stdin, end: child.stdin }],
    writes: [
      { what: "stdout", stream: stdout },
      { what: "stderr", stream: stderr }
    ]
  }
  const around: PairSide = {
    name: `the parent of ${name} (${parentName})`,
    reads: [
      { what: "stdout", stream: outside.stdout, end: parent.stdout },
      { what: "stderr", stream: outside.stderr, end: parent.stderr }
    ],
    writes: [{ what: "stdin", stream: outside.stdin }]
  }
  const process: SimProcess = {
    parent: outside,
    child: {
      stdin,
      stdout,
      stderr,
      pid,
      exit(code = 0) {
        leave(() => {
          stdin.destroy()
          let open = 2
          for (const stream of [stdout, stderr]) {
            finished(stream, () => {
              open--
              if (open === 0) gone({ code, signal: null })
            })
            stream.end()
          }
        })
      }
    }
  }
  return { process, waiting: () => pairWaits(inside, around) }
}

interface OutsideParts {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly pid: number
  readonly kill: (signal: string) => boolean
}

/** A class, because clients ask a process for events. */
class OutsideProcess extends EventEmitter implements SimChild {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly pid: number
  exitCode: number | null = null
  signalCode: string | null = null
  killed = false
  readonly #kill: (signal: string) => boolean

  constructor({ stdin, stdout, stderr, pid, kill }: OutsideParts) {
    super()
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    this.pid = pid
    this.#kill = kill
  }

  kill(signal = "SIGTERM"): boolean {
    const isDone = this.#kill(signal)
    this.killed ||= isDone
    return isDone
  }

  ended({ code, signal }: ExitStatus): void {
    this.exitCode = code
    this.signalCode = signal
    this.stdin.destroy()
    this.emit("exit", code, signal)
    let open = 2
    for (const stream of [this.stdout, this.stderr]) {
      finished(stream, () => {
        open--
        if (open === 0) this.emit("close", code, signal)
      })
      // As in Node: output that nobody reads does not keep a process that is gone from closing.
      stream.resume()
    }
  }
}
