/** Long enough for every chain of promises in the package, and no time at all. */
const turns = 20

/** What has become of a promise when everything that is ready has run; no time passes. */
export const stateOf = async (promise: Promise<unknown>): Promise<"pending" | "resolved" | "rejected"> => {
  let state: "pending" | "resolved" | "rejected" = "pending"
  promise.then(
    () => {
      state = "resolved"
    },
    () => {
      state = "rejected"
    }
  )
  for (let turn = 0; turn < turns; turn++) await Promise.resolve()
  return state
}
