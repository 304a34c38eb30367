import type { Dispatcher } from "undici"
import api from "undici/lib/api/index.js"
import UndiciDispatcher from "undici/lib/dispatcher/dispatcher.js"
import type { MessageClient } from "./transport-client.ts"
import { dispatchOver } from "./transport-dispatch.ts"
import { transportErrors } from "./transport-errors.ts"

/**
 * A dispatcher of undici whose requests go over a simulated network, for code that uses undici itself:
 * `setGlobalDispatcher(simDispatcher(client))`, or `{ dispatcher }` of a call. Upgrades are refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const simDispatcher = (client: MessageClient): Dispatcher => new SimDispatcher(client)

/** A class, because undici asks for one. */
class SimDispatcher extends UndiciDispatcher {
  readonly #client: MessageClient
  #inProgress = 0
  #state: "open" | "closed" | "destroyed" = "open"
  #idle: Array<() => void> = []

  constructor(client: MessageClient) {
    super()
    this.#client = client
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const refused = this.#refusal(options)
    this.#inProgress++
    const over = (): void => {
      this.#inProgress--
      if (this.#inProgress === 0) for (const tell of this.#idle.splice(0)) tell()
    }
    if (refused === null) dispatchOver(this.#client, { options, handler }, over)
    else {
      queueMicrotask(() => {
        over()
        // A handler of the new style has to have seen a start before it can see an error.
        if (handler.onError === undefined) dispatchRefused(handler, refused)
        else handler.onError(refused)
      })
    }
    return true
  }

  override close(): Promise<void>
  override close(callback: () => void): void
  override close(callback?: () => void): Promise<void> | undefined {
    if (this.#state === "open") this.#state = "closed"
    const closed = this.#quiet().then(() => this.#end(transportErrors.closed()))
    return answered(closed, callback)
  }

  override destroy(): Promise<void>
  override destroy(error: Error | null): Promise<void>
  override destroy(callback: () => void): void
  override destroy(error: Error | null, callback: () => void): void
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> | undefined {
    const error = typeof first === "function" ? null : first
    this.#end(error ?? transportErrors.destroyed())
    return answered(Promise.resolve(), typeof first === "function" ? first : second)
  }

  #refusal({ upgrade, method }: Dispatcher.DispatchOptions): Error | null {
    if (this.#state === "destroyed") return transportErrors.destroyed()
    if (this.#state === "closed") return transportErrors.closed()
    return (upgrade ?? false) !== false || method === "CONNECT" ? transportErrors.noUpgrade() : null
  }

  #quiet(): Promise<void> {
    return this.#inProgress === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #end(error: Error): void {
    this.#state = "destroyed"
    this.#client.destroy(error)
  }
}

// As undici itself does when all of it is loaded: `dispatcher.request()` and the like.
Object.assign(SimDispatcher.prototype, api)

const dispatchRefused = (handler: Dispatcher.DispatchHandler, error: Error): void => {
  const controller: Dispatcher.DispatchController = {
    aborted: true,
    paused: false,
    reason: error,
    abort: () => {},
    pause: () => {},
    resume: () => {}
  }
  handler.onRequestStart?.(controller, {})
  handler.onResponseError?.(controller, error)
}

const answered = (done: Promise<void>, callback: (() => void) | undefined): Promise<void> | undefined => {
  if (callback === undefined) return done
  done.then(callback)
  return undefined
}
