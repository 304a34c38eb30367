/**
 * What an object does when one operation follows another.
 *
 * @since 0.1.0
 * @category histories
 */
export interface SequentialModel<S, I, O> {
  readonly name: string
  readonly init: S
  /** The state after an operation that answered so; `null` when it cannot. Without a return every answer is possible. */
  step(state: S, input: I, returned: { readonly output: O } | null): S | null
  /** Equal for equal states. */
  key(state: S): string
}

/** @since 0.1.0 @category histories */
export type ClaimInput = { readonly type: "register" } | { readonly type: "claim" } | { readonly type: "retire" }

/** Whether it had the effect that it asked for. */
export type ClaimOutput = boolean

/**
 * An expectation as a test-and-set object: after its registration one claim wins, or it is taken back, and all others lose.
 *
 * @since 0.1.0
 * @category histories
 */
export const claimModel: SequentialModel<"absent" | "free" | "taken", ClaimInput, ClaimOutput> = {
  name: "expectation",
  init: "absent",
  step(state, input, returned) {
    const needed = input.type === "register" ? "absent" : "free"
    const isDone = state === needed
    if (returned !== null && returned.output !== isDone) return null
    if (!isDone) return state
    return input.type === "register" ? "free" : "taken"
  },
  key: (state) => state
}

/** @since 0.1.0 @category histories */
export type QueueInput<T> = { readonly type: "enqueue"; readonly value: T } | { readonly type: "dequeue" }

/**
 * A queue, first in first out. Enqueueing answers `null`; so does dequeueing when it is empty.
 *
 * @since 0.1.0
 * @category histories
 */
export const queueModel = <T>(): SequentialModel<ReadonlyArray<T>, QueueInput<T>, T | null> => ({
  name: "queue",
  init: [],
  step(state, input, returned) {
    const output = returned?.output
    if (input.type === "enqueue") return output === undefined || output === null ? [...state, input.value] : null
    const [first = null, ...rest] = state
    return output === undefined || output === first ? rest : null
  },
  key: (state) => JSON.stringify(state)
})

/** @since 0.1.0 @category histories */
export type RegisterInput<T> = { readonly type: "write"; readonly value: T } | { readonly type: "read" }

/**
 * A register: a read answers what was written last. Writing answers `null`.
 *
 * @since 0.1.0
 * @category histories
 */
export const registerModel = <T>(init: T): SequentialModel<T, RegisterInput<T>, T | null> => ({
  name: "register",
  init,
  step(state, input, returned) {
    if (input.type === "write") return input.value
    return returned === null || returned.output === state ? state : null
  },
  key: (state) => JSON.stringify(state)
})
