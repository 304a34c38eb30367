import type { Search } from "../campaign/module-search.ts"
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

/** Tells once a second how far a search has come; `forget` ends that. */
export const watchSearch = (
  { program, runs, isCounted, budgetMs }: Search,
  { now, tell }: { readonly now: () => number; readonly tell: (line: string) => void }
): { readonly onProgress: (at: number, progress: ShareProgress) => void; readonly forget: () => void } => {
  const began = now()
  const shares = new Map<number, ShareProgress>()
  const forget = everySecond(() =>
    tell(
      progressLine({
        program: program.name,
        shares: [...shares.values()],
        runs: isCounted ? runs : null,
        elapsedMs: now() - began,
        budgetMs
      })
    )
  )
  return { onProgress: (at, progress) => void shares.set(at, progress), forget }
}

/** Calls `tell` once a second; the function it gives ends that. */
const everySecond = (tell: () => void): (() => void) => {
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
