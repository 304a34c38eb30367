import { copiedBytes } from "../../domain/copied-bytes.ts"
import { makeFifo } from "../../domain/fifo.ts"
import { AgentInputClosed, FrameTooLarge } from "../../domain/harness-errors.ts"
import type { StartedProcess } from "../../ports/process-port.ts"

/** So much may wait to be read: two of the longest lines. */
const waitingBytesMax = 2 * 67_108_864

/**
 * The input of a process. One write is under way at a time; the others wait behind it.
 *
 * **Source** agent-harness.md, section 1.9.10
 */
export interface ProcessInput {
  /**
   * Resolves when the bytes have left for the process.
   *
   * **Fails** with `AgentInputClosed` when it reads no more, `FrameTooLarge` when more than 128 MiB wait already
   */
  write(bytes: Uint8Array): Promise<void>
  /** Lets the process read an end, behind what was written. */
  end(): void
  /** The process is there: what waits can go out. */
  open(hold: StartedProcess): void
  /** Nothing can be written any more; what waits fails. */
  close(because: string): void
}

interface Waiting {
  readonly bytes: Uint8Array
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Takes what is told of the process in errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeProcessInput = (options: {
  readonly label: string
  readonly isPiped: boolean
  readonly diagnostics: () => string
}): ProcessInput => {
  const { label, isPiped, diagnostics } = options
  const waiting = makeFifo<Waiting>()
  let hold: StartedProcess | null = null
  let isBusy = false
  let isEnded = false
  let waitingBytes = 0
  let closedBecause = isPiped ? null : "it was started without one"

  const refusal = (because: string): Error =>
    new AgentInputClosed(`nothing can be written to ${label}: ${because}`, { diagnostics: diagnostics() })

  const close = (because: string): void => {
    closedBecause ??= because
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next.reject(refusal(closedBecause))
    waitingBytes = 0
  }

  const goOn = (): void => {
    if (hold === null || isBusy || closedBecause !== null) return
    const next = waiting.peek()
    if (next === undefined) {
      if (isEnded) hold.endInput()
      return
    }
    isBusy = true
    hold.write(next.bytes, (problem) => {
      isBusy = false
      if (closedBecause !== null) return
      if (problem !== null) return close(`it has closed its input (${problem})`)
      waiting.shift()
      waitingBytes -= next.bytes.byteLength
      next.resolve()
      goOn()
    })
  }

  return {
    write(bytes) {
      const written = new Promise<void>((resolve, reject) => {
        const length = waitingBytes + bytes.byteLength
        if (closedBecause !== null || isEnded) return reject(refusal(closedBecause ?? "its input was ended"))
        if (length > waitingBytesMax)
          return reject(new FrameTooLarge(`the input that ${label} has not read`, { limit: waitingBytesMax, length }))
        waitingBytes = length
        waiting.push({ bytes: copiedBytes(bytes), resolve, reject })
        goOn()
      })
      // A write that nobody looks at any more is no crash; whoever awaits it gets the error all the same.
      written.catch(() => {})
      return written
    },
    end() {
      if (isEnded) return
      isEnded = true
      goOn()
    },
    open(started) {
      hold = started
      goOn()
    },
    close
  }
}
