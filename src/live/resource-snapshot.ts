import { readdirSync, readFileSync } from "node:fs"

/** What a process holds: bytes of memory, threads, open files. `undefined` where this machine does not say. */
export interface Resources {
  readonly rss: number | undefined
  readonly threads: number | undefined
  readonly openFiles: number | undefined
}

/**
 * What a process held at one moment.
 *
 * **Source** inference-server.md, section 10.1
 *
 * @since 0.1.0
 * @category resources
 */
export interface ResourceSnapshot extends Resources {
  /** How much more this is than `baseline`, never less than 0; unknown where either is. */
  growthFrom(baseline: Resources): Resources
}

/**
 * Looks at a process now.
 *
 * **Takes** a process id, this process if left out
 * **Fails** never: what cannot be seen is `undefined`
 *
 * @since 0.1.0
 * @category resources
 */
export const resourceSnapshot = (pid: number = process.pid): ResourceSnapshot => snapshotOf(resourcesOf(pid))

/** What a process holds now. */
export const resourcesOf = (pid: number): Resources => {
  const status = orUndefined(() => readFileSync(`/proc/${pid}/status`, "utf8"))
  return { rss: rssOf(pid), threads: numberIn(status, /^Threads:\s*(\d+)/m), openFiles: openFilesOf(pid) }
}

/** The same with a way to compare it. */
export const snapshotOf = (now: Resources): ResourceSnapshot => ({
  ...now,
  growthFrom: (baseline) => ({
    rss: growth(now.rss, baseline.rss),
    threads: growth(now.threads, baseline.threads),
    openFiles: growth(now.openFiles, baseline.openFiles)
  })
})

/** What a sampler saw. */
export interface RssReport {
  /** Bytes at the start. */
  readonly baseline: number | undefined
  /** The most that was seen, in bytes; 0 when nothing was. */
  readonly peak: number
  /** Whether memory grew by less than so many MiB; false when it could not be measured. */
  isWithin(budgetMiB: number): boolean
}

/**
 * Watches the memory of a process until it is finished with.
 *
 * @since 0.1.0
 * @category resources
 */
export interface RssSampler {
  /** Looks a last time; the second call gives the same report. */
  finish(): RssReport
  [Symbol.dispose](): void
}

const sampleEveryMs = 3

/**
 * Starts to watch the memory of a process, this one if left out, every 3 ms. Keeps no process alive.
 *
 * @since 0.1.0
 * @category resources
 */
export const startRssSampler = (pid: number = process.pid): RssSampler => sampleRss(() => rssOf(pid))

/** Watches what is read, every 3 ms. */
export const sampleRss = (read: () => number | undefined): RssSampler => {
  const baseline = read()
  let peak = baseline ?? 0
  let report: RssReport | null = null
  const look = (): void => {
    peak = Math.max(peak, read() ?? 0)
  }
  const timer = setInterval(look, sampleEveryMs)
  timer.unref()
  const finish = (): RssReport => {
    if (report !== null) return report
    clearInterval(timer)
    look()
    report = rssReport(baseline, peak)
    return report
  }
  return { finish, [Symbol.dispose]: () => void finish() }
}

/** The verdict on a measurement. */
export const rssReport = (baseline: number | undefined, peak: number): RssReport => ({
  baseline,
  peak,
  isWithin: (budgetMiB) => baseline !== undefined && peak > 0 && Math.max(0, peak - baseline) < budgetMiB * 1024 * 1024
})

export const rssOf = (pid: number): number | undefined => {
  if (pid === process.pid) return process.memoryUsage.rss()
  const kilobytes = numberIn(
    orUndefined(() => readFileSync(`/proc/${pid}/status`, "utf8")),
    /^VmRSS:\s*(\d+) kB/m
  )
  return kilobytes === undefined ? undefined : kilobytes * 1024
}

/** Listing the files of this process opens one more, which does not count. */
const openFilesOf = (pid: number): number | undefined => {
  const isOurs = pid === process.pid
  const folders = isOurs ? [`/proc/${pid}/fd`, "/dev/fd"] : [`/proc/${pid}/fd`]
  for (const folder of folders) {
    const count = orUndefined(() => readdirSync(folder).length)
    if (count !== undefined) return isOurs ? count - 1 : count
  }
  return undefined
}

const growth = (now: number | undefined, before: number | undefined): number | undefined =>
  now === undefined || before === undefined ? undefined : Math.max(0, now - before)

const numberIn = (text: string | undefined, pattern: RegExp): number | undefined => {
  const digits = text === undefined ? undefined : pattern.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const orUndefined = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
