/**
 * Memory that workers of one campaign share: how far they may go, and how far they have come. It is looked at between runs, also
 * by a worker that never gets round to its messages.
 *
 * @since 0.1.0
 * @category running
 */
export interface StopBoard {
  readonly memory: SharedArrayBuffer
  /** A new campaign: nothing is stopped, no worker has begun. */
  restart(): void
  /** No run with this number or a higher one is begun any more. */
  limit(number: number): void
  limitNow(): number
  /** Nothing is begun any more. */
  stop(): void
  isStopped(): boolean
  /** The number of the run that a worker makes. */
  begin(worker: number, number: number): void
  /** `null` before its first run. */
  current(worker: number): number | null
}

/** So many workers have a place on a board. */
export const workersMax = 64

const limitCell = 0
const stopCell = 1
const firstWorkerCell = 2
const noLimit = 2 ** 31 - 1

/** @since 0.1.0 @category constructors */
export const makeStopBoard = (
  memory: SharedArrayBuffer = new SharedArrayBuffer(4 * (firstWorkerCell + workersMax))
): StopBoard => {
  const cells = new Int32Array(memory)
  return {
    memory,
    restart() {
      for (let worker = 0; worker < workersMax; worker++) Atomics.store(cells, firstWorkerCell + worker, 0)
      Atomics.store(cells, limitCell, noLimit)
    },
    limit: (number) => void Atomics.store(cells, limitCell, number),
    limitNow: () => Atomics.load(cells, limitCell),
    stop: () => void Atomics.store(cells, stopCell, 1),
    isStopped: () => Atomics.load(cells, stopCell) === 1,
    begin: (worker, number) => void Atomics.store(cells, firstWorkerCell + worker, number + 1),
    current(worker) {
      const cell = Atomics.load(cells, firstWorkerCell + worker)
      return cell === 0 ? null : cell - 1
    }
  }
}
