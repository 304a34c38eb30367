import type { ExitStatus, TerminationReason } from "../domain/exit-status.ts"
import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import { makeSimOutput } from "./process-pipes.ts"

/** The side of a simulated agent that its program sees. */
export interface SimAgentSide {
  /** Writes to stdout, text as UTF-8. It arrives in pieces and when it likes, in order. */
  write(data: string | Uint8Array): void
  /** Writes to stderr, which arrives at once. */
  complain(text: string): void
  /** Closes stdout and goes on. */
  closeOutput(): void
  /** Reads no more. */
  closeInput(): void
  exit(status: ExitStatus): void
}

/** What a simulated agent does with what comes; what it leaves out it does not care for. */
export interface SimAgentProgram {
  /** Bytes that were written to it, as they were written. */
  readonly received?: (text: string) => void
  readonly inputEnded?: () => void
  /** SIGTERM; without it the agent dies of it. */
  readonly terminated?: () => void
}

/** Who reads the output of a simulated agent. */
interface SimReader {
  received(bytes: Uint8Array, flow: { pause(): void; resume(): void }): void
  ended(problem: string | null): void
}

/** A process that is spoken to through pipes, as the harness holds one. */
export interface SimAgent {
  readonly label: string
  readonly pid: number | undefined
  readonly status: ExitStatus | undefined
  readonly terminationReason: TerminationReason | undefined
  readonly stdout: { text(): string }
  readonly stderr: { text(): string }
  read(stream: "stdout", reader: SimReader): void
  write(data: string): Promise<void>
  endInput(): void
  wait(): Promise<ExitStatus>
  startTerminate(): void
  startKill(): void
  close(): Promise<ExitStatus>
  kill(): Promise<ExitStatus>
  diagnostics(): string
}

const delaysMs = [0, 1, 7, 40] as const
const graceMs = 500
const pid = 4_242

/**
 * Starts a simulated agent. Choices decide how its output is cut, and how long things are on their way; their labels begin with
 * `agent/`.
 *
 * @since 0.1.0
 * @category simulation
 */
export const makeSimAgent = (
  { clock, choice }: { readonly clock: Clock; readonly choice: Choice },
  program: (side: SimAgentSide) => SimAgentProgram
): SimAgent => {
  const delay = (label: string): number => delaysMs[choice.draw(delaysMs.length, label)] ?? 0
  const written: Array<Uint8Array> = []
  const exits = new Set<(status: ExitStatus) => void>()
  let reader: SimReader | null = null
  let status: ExitStatus | undefined
  let reason: TerminationReason | undefined
  let complaints = ""
  let isInputOpen = true
  let inputDueAt = 0

  const output = makeSimOutput(
    { clock, delay: () => delay("agent/output") },
    {
      received: (bytes) => reader?.received(bytes, { pause: output.pause, resume: output.resume }),
      ended: () => {
        reader?.ended(null)
        tellExit()
      }
    }
  )
  output.hold(pid)
  output.pause()

  /** Its end is known when its output was read, as with an owned process. */
  const tellExit = (): void => {
    if (status === undefined || output.isOpen()) return
    for (const told of exits) told(status)
    exits.clear()
  }

  const exit = (ended: ExitStatus): void => {
    if (status !== undefined) return
    status = ended
    reason ??= "NaturalExit"
    isInputOpen = false
    output.letGo(pid)
    tellExit()
  }

  const side: SimAgentSide = {
    write(data) {
      const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data
      if (status !== undefined) return
      written.push(bytes)
      for (const piece of cut(bytes, choice)) output.write(piece)
    },
    complain(text) {
      complaints += text
    },
    closeOutput: () => output.letGo(pid),
    closeInput() {
      isInputOpen = false
    },
    exit
  }
  const running = program(side)

  /** What is written arrives in order. */
  const later = (act: () => void): void => {
    inputDueAt = Math.max(inputDueAt, clock.now() + delay("agent/input"))
    clock.arm(inputDueAt - clock.now(), "agent/input", act)
  }
  const inputs: Array<() => void> = []
  const arrive = (act: () => void): void => {
    inputs.push(act)
    later(() => inputs.shift()?.())
  }

  const over = (): Promise<ExitStatus> =>
    new Promise((resolve) => {
      if (status !== undefined && !output.isOpen()) resolve(status)
      else exits.add(resolve)
    })
  const die = (signal: string, because: TerminationReason): void => {
    if (status !== undefined) return
    reason = because
    exit({ code: null, signal })
  }
  const startTerminate = (): void => {
    if (status !== undefined) return
    reason = "GracefulTerminate"
    clock.arm(delay("agent/signal"), "agent/signal", () => {
      if (running.terminated === undefined) die("SIGTERM", "GracefulTerminate")
      else running.terminated()
    })
  }

  return {
    label: "sim agent",
    get pid() {
      return status === undefined ? pid : undefined
    },
    get status() {
      return status
    },
    get terminationReason() {
      return reason
    },
    stdout: { text: () => written.map((bytes) => new TextDecoder().decode(bytes)).join("") },
    stderr: { text: () => complaints },
    read(_, next) {
      reader = next
      output.resume()
    },
    write: (data) =>
      new Promise((resolve, reject) =>
        arrive(() => {
          if (!isInputOpen) return reject(new Error("EPIPE"))
          running.received?.(data)
          resolve()
        })
      ),
    endInput: () =>
      arrive(() => {
        if (isInputOpen) running.inputEnded?.()
      }),
    wait: over,
    startTerminate,
    startKill: () => die("SIGKILL", "HardKill"),
    close() {
      startTerminate()
      clock.arm(graceMs, "agent/grace", () => die("SIGKILL", "HardKillAfterGrace"))
      return over()
    },
    kill() {
      die("SIGKILL", "HardKill")
      return over()
    },
    diagnostics: () => `sim agent, stderr: ${complaints}`
  }
}

/** In one to three pieces, cut anywhere. */
const cut = (bytes: Uint8Array, choice: Choice): ReadonlyArray<Uint8Array> => {
  const places = Array.from({ length: choice.draw(3, "agent/cuts") }, () =>
    bytes.byteLength < 2 ? 0 : choice.draw(bytes.byteLength, "agent/cut")
  ).sort((a, b) => a - b)
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.byteLength))
}
