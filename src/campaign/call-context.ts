import { AsyncLocalStorage } from "node:async_hooks"

/** The call of a client that code belongs to. */
export interface CallTag {
  readonly client: string
  readonly call: string
  /** Requests that were sent for it. */
  attempts: number
}

const tags = new AsyncLocalStorage<CallTag>()

/** Does `body`, and all that comes of it, for this call. */
export const insideCall = <A>(tag: CallTag, body: () => A): A => tags.run(tag, body)

/** The call of the code that asks; `null` for code of none. */
export const currentCall = (): CallTag | null => tags.getStore() ?? null
