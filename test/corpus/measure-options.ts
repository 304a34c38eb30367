/** What is measured. */
export interface Measure {
  /** From so many seeds each bug has to be found. */
  readonly seeds: number
  /** So many schedules each fixed client has to pass. */
  readonly twinRuns: number
  /** Only bugs whose name holds one of them; all when there are none. */
  readonly words: ReadonlyArray<string>
  /** Where the table goes. */
  readonly tablePath: string
}

/** As `run.mjs` hands it to the process that measures. */
export const readMeasure = (env: Readonly<Record<string, string | undefined>>): Measure => ({
  seeds: Number(env["UNDERSTUDY_CORPUS_SEEDS"] ?? 3),
  twinRuns: Number(env["UNDERSTUDY_CORPUS_TWINS"] ?? 200),
  words: (env["UNDERSTUDY_CORPUS_WORDS"] ?? "").split(" ").filter((word) => word !== ""),
  tablePath: env["UNDERSTUDY_CORPUS_TABLE"] ?? "/dev/stdout"
})
