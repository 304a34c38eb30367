import { readTimeoutScale, timeoutScaleMax } from "../domain/timeout-scale.ts"

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
  const { scale, ignored } = readTimeoutScale(process.env)
  for (const { name, text } of ignored) warnOnce(name, text)
  return scale
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
  process.emitWarning(
    `${name} is ${JSON.stringify(text)} and is ignored; use a whole number from 1 to ${timeoutScaleMax}`
  )
}
