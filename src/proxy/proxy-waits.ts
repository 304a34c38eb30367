import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption } from "../domain/errors.ts"
import { WaitTimeout } from "../domain/harness-errors.ts"
import { Cancelled } from "../domain/harness-scope-errors.ts"
import { proxyWaitMs } from "../domain/proxy-limits.ts"
import type { Clock } from "../kernel/clock.ts"
import type { ProxyWait } from "./fault-proxy.ts"

/** Waits for something that a proxy has come to. */
export interface ProxyWaits {
  /** Waits until `find` gives something; it is asked at once, and whenever something has happened. */
  until<A>(what: string, find: () => A | undefined, wait?: ProxyWait): Promise<A>
  /** Something has happened. */
  progressed(): void
  /** Nothing will happen any more. */
  end(): void
}

interface Wait {
  /** Whether it is over. */
  check(): boolean
  end(): void
}

/** @since 0.1.0 @category constructors */
export const makeProxyWaits = (clock: Clock): ProxyWaits => {
  const waits = new Set<Wait>()
  let isOver = false
  return {
    until(what, find, { ms = proxyWaitMs } = {}) {
      return new Promise((resolve, reject) => {
        if (!(ms >= 0 && ms <= delayMsMax))
          throw new InvalidOption(`ms of a wait is ${ms}; give milliseconds from 0 to ${delayMsMax}`)
        const found = find()
        if (found !== undefined) return resolve(found)
        if (isOver) throw new Cancelled(`the proxy has stopped; nothing more will come of the wait for ${what}`)
        const forget = clock.arm(ms, "proxy/wait", () => {
          waits.delete(wait)
          reject(new WaitTimeout(what, { ms }))
        })
        const wait: Wait = {
          check() {
            const value = find()
            if (value === undefined) return false
            forget()
            resolve(value)
            return true
          },
          end() {
            forget()
            reject(new Cancelled(`the proxy was stopped before the end of the wait for ${what}`))
          }
        }
        waits.add(wait)
      })
    },
    progressed() {
      if (waits.size === 0) return
      for (const wait of [...waits]) if (wait.check()) waits.delete(wait)
    },
    end() {
      isOver = true
      for (const wait of waits) wait.end()
      waits.clear()
    }
  }
}
