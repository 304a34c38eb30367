/** The seed of this run, fixed unless one is asked for: a red run is never luck. */
export const seed = Number(process.env["SEED"] ?? 1)
