const variables = ["HARNESS_TIMEOUT_SCALE", "GROK_TEST_TIMEOUT_SCALE"] as const
const scaleMax = 0xffff_ffff

/** Variables that were warned about; a process hears of each once. */
const warned = new Set<string>()

/**
 * By how much waits for the work of others are stretched on this machine: the first of the two variables that holds a
 * whole number from 1 to 2^32 - 1, else 1. Read at each use.
 *
 * **Fails** never: a value that is no such number is passed over, with one warning
 * **Source** agent-harness.md, section 0
 *
 * @since 0.1.0
 * @category time
 */
export const timeoutScale = (): number => {
  for (const name of variables) {
    const text = process.env[name]
    if (text === undefined) continue
    const scale = /^\+?\d+$/.test(text) ? Number(text) : 0
    if (scale >= 1 && scale <= scaleMax) return scale
    warnOnce(name, text)
  }
  return 1
}

/**
 * A time limit in milliseconds, multiplied by the timeout scale.
 *
 * @since 0.1.0
 * @category time
 */
export const scaled = (ms: number): number => ms * timeoutScale()

const warnOnce = (name: string, text: string): void => {
  if (warned.has(name)) return
  warned.add(name)
  process.emitWarning(`${name} is ${JSON.stringify(text)} and is ignored; use a whole number from 1 to ${scaleMax}`)
}
