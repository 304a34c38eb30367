/**
 * Requests of an agent that clients of a leader were given; the first answer counts.
 *
 * @since 0.1.0
 * @category models
 */
export interface AgentQuestions {
  /** Keeps a request, under the key of its id, that these clients were given. */
  ask(key: string, asked: ReadonlyArray<number>, idToken: string): void
  /** Whether this is the answer that counts; from then on the request is answered. */
  answer(key: string, client: number): boolean
  /** A client is gone. Gives the ids, as they were written, of the requests that nobody is left to answer. */
  gone(client: number): ReadonlyArray<string>
}

/** @since 0.1.0 @category constructors */
export const makeAgentQuestions = (): AgentQuestions => {
  const open = new Map<string, { readonly asked: Set<number>; readonly idToken: string }>()
  return {
    ask: (key, asked, idToken) => void open.set(key, { asked: new Set(asked), idToken }),
    answer: (key, client) => open.get(key)?.asked.has(client) === true && open.delete(key),
    gone(client) {
      const left: Array<string> = []
      for (const [key, { asked, idToken }] of open) {
        if (!asked.delete(client) || asked.size > 0) continue
        open.delete(key)
        left.push(idToken)
      }
      return left
    }
  }
}
