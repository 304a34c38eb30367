import type { Clock } from "../kernel/clock.ts"

/**
 * Does one thing after the other, each a drawn time after the one before, so that none overtakes another.
 *
 * @since 0.1.0
 * @category simulation
 */
export const makeInOrder = (
  clock: Clock,
  label: string,
  delay: (label: string) => number
): ((act: () => void) => void) => {
  const waiting: Array<() => void> = []
  const next = (): void => {
    clock.arm(delay(label), label, () => {
      const act = waiting[0]
      act?.()
      waiting.shift()
      if (waiting.length > 0) next()
    })
  }
  return (act) => {
    waiting.push(act)
    if (waiting.length === 1) next()
  }
}
