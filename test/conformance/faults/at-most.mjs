// @ts-check
/**
 * Runs tasks as they come, at most so many at a time, so that each has its share of a small machine.
 *
 * @param {number} limit
 * @returns {<T>(task: () => Promise<T>) => Promise<T>}
 */
export function atMost(limit) {
  let free = limit
  /** @type {Array<() => void>} */
  const waiting = []
  return async (task) => {
    if (free > 0) free--
    else await new Promise((/** @type {(value: void) => void} */ resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
