import { loadsOfRunner } from "./fence-platform.ts"
import type { RealTimers } from "./fence-timeout.ts"
import { asOwnWork, begunCount } from "./fence-watch.ts"

/** Where a run waits for the real world: for its own promises, and for work that has left the thread. */
export interface Barrier {
  /** Calls `next` when everything has run that can run without an event of the world. */
  drain(next: () => void): void
  /** Calls `next` after a real millisecond. */
  pause(next: () => void): void
  /** Real requests, and modules that are loaded, beyond those of the beginning. */
  requests(): ReadonlyArray<string>
  /** Real milliseconds, from anywhere. */
  realMs(): number
}

/** A request ends by itself; handles such as sockets and message ports may stay open for ever and are not waited for. */
const isRequest = (type: string): boolean => /Req|WriteWrap|ShutdownWrap|ConnectWrap|SendWrap/.test(type)

/** @since 0.1.0 @category constructors */
export const makeBarrier = (real: RealTimers): Barrier => {
  const atStart = requestsNow().length
  const loadsAtStart = loadsOfRunner()
  /** How much had begun when no request was found; none can be there as long as nothing else has. */
  let idleSince = -1
  return {
    drain: (next) => asOwnWork(() => void real.setImmediate(next)),
    pause: (next) => asOwnWork(() => void real.setTimeout(next, 1)),
    requests() {
      const begun = begunCount()
      const requests = begun === idleSince ? none : requestsNow()
      if (requests.length === 0) idleSince = begun
      if (loadsOfRunner() > loadsAtStart) return [...requests, "a module that Vitest loads"]
      return requests.length > atStart ? requests : none
    },
    realMs: () => Number(real.monotonic()) / 1_000_000
  }
}

const none: ReadonlyArray<string> = []

const requestsNow = (): ReadonlyArray<string> => {
  const all = process.getActiveResourcesInfo()
  return all.some(isRequest) ? all.filter(isRequest) : none
}
