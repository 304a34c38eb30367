import type { SeenRun } from "./explore-world.ts"

/** What failed, and which laws the run had broken by then: they often are the reason. */
export const withBroken = (message: string, run: Pick<SeenRun, "broken"> | null): string =>
  run === null || run.broken.length === 0
    ? message
    : [message, "laws that were broken before it:", ...run.broken].join("\n")
