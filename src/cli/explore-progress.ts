import type { ShareProgress } from "../campaign/sim-worker.ts"
import { liveClock } from "../live/clock.ts"

/** How far the shares of a campaign have come together. */
export interface Progress {
  readonly program: string
  readonly shares: ReadonlyArray<ShareProgress>
  /** Runs that are meant; `null` when time is the limit. */
  readonly runs: number | null
  readonly elapsedMs: number
  readonly budgetMs: number | null
}

/** Progress is told this often. */
const progressMs = 1_000

/** So many strategies are named. */
const strategiesMax = 8

/** One line: schedules, rate, coverage, strategies. */
export const progressLine = ({ program, shares, runs, elapsedMs, budgetMs }: Progress): string => {
  const made = shares.reduce((sum, share) => sum + share.runs, 0)
  const rate = elapsedMs <= 0 ? 0 : Math.round((made * 1_000) / elapsedMs)
  const reached = Math.max(0, ...shares.map((share) => share.reached))
  const counts = new Map<string, number>()
  for (const { strategies } of shares) {
    for (const [name, count] of Object.entries(strategies)) counts.set(name, (counts.get(name) ?? 0) + count)
  }
  const named = [...counts].sort(([, one], [, other]) => other - one).slice(0, strategiesMax)
  const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`
  return [
    `${program}: ${made}${runs === null ? "" : ` of ${runs}`} schedules`,
    `${rate}/s`,
    `${reached} things reached`,
    ...(named.length === 0 ? [] : [named.map(([name, count]) => `${name} ${count}`).join(" ")]),
    `${seconds(elapsedMs)}${budgetMs === null ? "" : ` of ${seconds(budgetMs)}`}`
  ].join(", ")
}

/** Calls `tell` once a second; the function it gives ends that. */
export const everySecond = (tell: () => void): (() => void) => {
  let forget = (): void => {}
  const arm = (): void => {
    forget = liveClock.arm(progressMs, "progress", () => {
      tell()
      arm()
    })
  }
  arm()
  return () => forget()
}
