/** The variables that may hold the scale, the first that holds one counts. Source: agent-harness.md, section 0. */
const scaleVariables = ["HARNESS_TIMEOUT_SCALE", "GROK_TEST_TIMEOUT_SCALE"] as const

export const timeoutScaleMax = 0xffff_ffff

/** By how much waits are stretched, and which variables were set to something that is no scale. */
export interface TimeoutScale {
  readonly scale: number
  readonly ignored: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

/**
 * Reads the timeout scale from variables: the first of the two that holds a whole number from 1 to 2^32 - 1, else 1.
 *
 * **Fails** never; a value that is no such number is passed over
 * **Source** agent-harness.md, section 0
 *
 * @since 0.1.0
 * @category time
 */
export const readTimeoutScale = (variables: Readonly<Record<string, string | undefined>>): TimeoutScale => {
  const ignored: Array<TimeoutScale["ignored"][number]> = []
  for (const name of scaleVariables) {
    const text = variables[name]
    if (text === undefined) continue
    const scale = /^\+?\d+$/.test(text) ? Number(text) : 0
    if (scale >= 1 && scale <= timeoutScaleMax) return { scale, ignored }
    ignored.push({ name, text })
  }
  return { scale: 1, ignored }
}
