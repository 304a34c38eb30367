import { delayMsMax } from "../domain/durations.ts"
import { WaitTimeout } from "../domain/harness-errors.ts"
import { Cancelled } from "../domain/harness-scope-errors.ts"
import { check, checkOption, members, type OptionCheck } from "../domain/option-checks.ts"
import { proxyWaitMs } from "../domain/proxy-limits.ts"
import type { Clock } from "../kernel/clock.ts"
import type { HeldFrame, ProxyWait } from "./fault-proxy.ts"

/** What is waited for: numbers that grow, or a frame that begins to wait, which only it is asked about then. */
export type ProxyProgress =
  | { readonly type: "forwarded" | "accepted" }
  | { readonly type: "held"; readonly frame: HeldFrame }

/** Waits for something that a proxy has come to. */
export interface ProxyWaits {
  /** Waits until `find` gives something; it is asked at once, and with what has happened whenever that is of its type. */
  until<A>(sought: Sought<A>, wait?: ProxyWait): Promise<A>
  /** Something has happened. */
  progressed(progress: ProxyProgress): void
  /** Nothing will happen any more. */
  end(): void
}

/** What somebody waits for. */
export interface Sought<A> {
  readonly what: string
  readonly type: ProxyProgress["type"]
  /** **Takes** what has happened; nothing when it is asked for the first time */
  readonly find: (progress?: ProxyProgress) => A | undefined
}

interface Wait {
  readonly what: string
  /** Is over when what it waits for has come. */
  check(progress: ProxyProgress): void
  fail(problem: Error): void
}

/** **Takes** `soFar`: what the proxy has come to, for who waited in vain @since 0.1.0 @category constructors */
export const makeProxyWaits = (clock: Clock, soFar: () => string): ProxyWaits => {
  const waits = { forwarded: new Set<Wait>(), accepted: new Set<Wait>(), held: new Set<Wait>() }
  let isOver = false
  return {
    until({ what, type, find }, options = {}) {
      return new Promise((resolve, reject) => {
        checkOption(waitOptions, options)
        const { ms = proxyWaitMs, signal } = options
        const found = find()
        if (found !== undefined) return resolve(found)
        if (isOver) throw new Cancelled(`the proxy has stopped; nothing more will come of the wait for ${what}`)
        if (signal?.aborted === true) throw givenUp(what)
        const giveUp = (): void => wait.fail(givenUp(what))
        const leave = (): void => {
          waits[type].delete(wait)
          forget()
          signal?.removeEventListener("abort", giveUp)
        }
        const wait: Wait = {
          what,
          check(progress) {
            const value = find(progress)
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
        waits[type].add(wait)
      })
    },
    progressed(progress) {
      const concerned = waits[progress.type]
      if (concerned.size > 0) for (const wait of [...concerned]) wait.check(progress)
    },
    end() {
      isOver = true
      for (const wait of Object.values(waits).flatMap((ones) => [...ones])) {
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
