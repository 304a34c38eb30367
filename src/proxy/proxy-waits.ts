import { delayMsMax } from "../domain/durations.ts"
import { WaitTimeout } from "../domain/harness-errors.ts"
import { Cancelled } from "../domain/harness-scope-errors.ts"
import { check, checkOption, members, type OptionCheck } from "../domain/option-checks.ts"
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
  readonly what: string
  /** Is over when what it waits for has come. */
  check(): void
  fail(problem: Error): void
}

/** **Takes** `soFar`: what the proxy has come to, for who waited in vain @since 0.1.0 @category constructors */
export const makeProxyWaits = (clock: Clock, soFar: () => string): ProxyWaits => {
  const waits = new Set<Wait>()
  let isOver = false
  return {
    until(what, find, options = {}) {
      return new Promise((resolve, reject) => {
        checkOption(waitOptions, options)
        const { ms = proxyWaitMs, signal } = options
        const found = find()
        if (found !== undefined) return resolve(found)
        if (isOver) throw new Cancelled(`the proxy has stopped; nothing more will come of the wait for ${what}`)
        if (signal?.aborted === true) throw givenUp(what)
        const giveUp = (): void => wait.fail(givenUp(what))
        const leave = (): void => {
          waits.delete(wait)
          forget()
          signal?.removeEventListener("abort", giveUp)
        }
        const wait: Wait = {
          what,
          check() {
            const value = find()
            if (value === undefined) return
            leave()
            resolve(value)
          },
          fail(problem) {
            leave()
            reject(problem)
          }
        }
        const forget = clock.arm(ms, "proxy/wait", () =>
          wait.fail(new WaitTimeout(what, { ms, report: `waited ${ms} ms in vain for ${what}: ${soFar()}` }))
        )
        signal?.addEventListener("abort", giveUp)
        waits.add(wait)
      })
    },
    progressed() {
      if (waits.size === 0) return
      for (const wait of [...waits]) wait.check()
    },
    end() {
      isOver = true
      for (const wait of [...waits]) {
        wait.fail(new Cancelled(`the proxy was stopped before the end of the wait for ${wait.what}`))
      }
    }
  }
}

const givenUp = (what: string): Cancelled => new Cancelled(`the wait for ${what} was given up`)

const waitOptions: OptionCheck = members({
  ms: check(
    (value) => typeof value === "number" && value >= 0 && value <= delayMsMax,
    `milliseconds from 0 to ${delayMsMax}`
  ),
  signal: check((value) => value instanceof AbortSignal, "an AbortSignal")
})
