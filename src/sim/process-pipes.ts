import { copiedBytes } from "../domain/copied-bytes.ts"
import { makeFifo } from "../domain/fifo.ts"
import type { Clock } from "../kernel/clock.ts"

/** Time that something takes in a simulated machine, drawn; the calm one is none. */
export type DrawDelay = (label: string) => number

/** What a process writes to, on its way to whoever reads it. It ends when nobody holds it any more. */
export interface SimOutput {
  write(bytes: Uint8Array): void
  hold(pid: number): void
  letGo(pid: number): void
  pause(): void
  resume(): void
  /** Nothing more is read of it. */
  release(): void
  isOpen(): boolean
}

interface PipeWorld {
  readonly clock: Clock
  readonly delay: DrawDelay
}

/** @since 0.1.0 @category simulation */
export const makeSimOutput = (
  { clock, delay }: PipeWorld,
  told: { readonly received: (bytes: Uint8Array) => void; readonly ended: () => void }
): SimOutput => {
  const waiting = makeFifo<Uint8Array>()
  const holders = new Set<number>()
  let isPaused = false
  let isMoving = false
  let isOver = false

  /** One piece at a time, so that they keep their order. */
  const move = (): void => {
    if (isMoving || isPaused || isOver || (waiting.size() === 0 && holders.size > 0)) return
    isMoving = true
    clock.arm(delay("process/pipe"), "process/pipe", () => {
      isMoving = false
      if (isOver || isPaused) return
      const bytes = waiting.shift()
      if (bytes !== undefined) told.received(bytes)
      else if (holders.size === 0) {
        isOver = true
        told.ended()
      }
      move()
    })
  }

  return {
    write(bytes) {
      waiting.push(copiedBytes(bytes))
      move()
    },
    hold: (pid) => holders.add(pid),
    letGo(pid) {
      if (holders.delete(pid)) move()
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      move()
    },
    release() {
      isOver = true
    },
    isOpen: () => !isOver
  }
}

/** What a process writes to when that is a file: it is there at once, and nobody is told. @since 0.1.0 @category simulation */
export const makeSimFileOutput = (write: (bytes: Uint8Array) => void): SimOutput => ({
  write,
  hold: () => {},
  letGo: () => {},
  pause: () => {},
  resume: () => {},
  release: () => {},
  isOpen: () => false
})

/** The input of a process: so much is taken ahead of who reads it. */
export interface SimInput {
  write(bytes: Uint8Array, done: (problem: string | null) => void): void
  end(): void
  /** Calls `go` when a piece was read, with `null` for the end. */
  read(go: (bytes: Uint8Array | null) => void): void
  /** Nobody reads it any more. */
  close(): void
}

interface WaitingWrite {
  readonly bytes: Uint8Array
  readonly done: (problem: string | null) => void
}

/** @since 0.1.0 @category simulation */
export const makeSimInput = ({ clock, delay }: PipeWorld, roomBytes: number): SimInput => {
  const arrived = makeFifo<Uint8Array>()
  const waiting = makeFifo<WaitingWrite>()
  let arrivedBytes = 0
  let reader: ((bytes: Uint8Array | null) => void) | null = null
  let isEnded = false
  let isClosed = false

  const later = (act: () => void): void => void clock.arm(delay("process/input"), "process/input", act)

  /** Takes what there is room for; an empty pipe takes anything. */
  const take = (): void => {
    for (let next = waiting.peek(); next !== undefined; next = waiting.peek()) {
      const { bytes, done } = next
      if (arrivedBytes > 0 && arrivedBytes + bytes.byteLength > roomBytes) return
      waiting.shift()
      arrived.push(copiedBytes(bytes))
      arrivedBytes += bytes.byteLength
      later(() => done(isClosed ? "EPIPE" : null))
    }
  }

  const serve = (): void => {
    const go = reader
    if (go === null) return
    const bytes = arrived.shift() ?? null
    if (bytes === null && !isEnded) return
    arrivedBytes -= bytes?.byteLength ?? 0
    later(() => go(bytes))
    reader = null
    take()
  }

  return {
    write(bytes, done) {
      if (isClosed) return later(() => done("EPIPE"))
      waiting.push({ bytes, done })
      take()
      serve()
    },
    end() {
      isEnded = true
      serve()
    },
    read(go) {
      if (isClosed) return
      reader = go
      serve()
    },
    close() {
      isClosed = true
      reader = null
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { done } = next
        later(() => done("EPIPE"))
      }
    }
  }
}
