import { setTimeout as delay } from "node:timers/promises"

/** All items of a stream. */
export const collect = async (stream) => {
  const items = []
  for await (const item of await stream) items.push(item)
  return items
}

/** The items of a stream up to its error, and the error. */
export const collectUntilError = async (stream) => {
  const items = []
  try {
    for await (const item of await stream) items.push(item)
  } catch (error) {
    return { items, error }
  }
  return { items, error: undefined }
}

/** The reason for which a promise rejects; fails when it does not. */
export const rejection = async (promise) => {
  let value
  try {
    value = await promise
  } catch (error) {
    return error
  }
  throw new Error(`should have failed, but gave ${JSON.stringify(value)}`)
}

/** Whether nothing has come of a promise after a time. The one fact that takes a pause to see. */
export const isPendingAfter = async (promise, ms) => {
  const pending = Symbol("pending")
  const settled = promise.then(
    () => null,
    () => null
  )
  return (await Promise.race([settled, delay(ms, pending)])) === pending
}

/** Waits for a trace event that has come or will come. */
export const traced = (server, isWanted) =>
  new Promise((resolve) => {
    const stop = server.watchTrace((event) => {
      if (!isWanted(event)) return
      stop()
      resolve(event)
    })
    const found = server.traceEvents().find(isWanted)
    if (found === undefined) return
    stop()
    resolve(found)
  })
