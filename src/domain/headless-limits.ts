/** A headless run is killed after this long, before the timeout scale. */
export const headlessCapMsDefault = 60_000

/** After the end of a headless run each of its streams is read for at most this long. */
export const headlessDrainMs = 2_000

/** So much is kept of each stream of a headless run, the newest of it. */
export const headlessBytesMax = 67_108_864
