/**
 * Clients that stay are alike: whoever changes the names of two of them in a run gets a run again, which judges find as good or as
 * bad. So they are called in the order in which their requests have arrived whole, and runs with another order are not searched.
 */
export interface Turns {
  /** Calls back when the rest of the client's request may arrive. */
  wait(client: string, come: () => void): void
  /** The rest of it has arrived. */
  passed(client: string): void
  /** Whose turn it is then. */
  after(client: string): ReadonlyArray<string>
}

/** Gives turns to these clients, in their order; all others may come when they like. */
export const makeTurns = (clients: ReadonlyArray<string>): Turns => {
  const waiting = new Map<string, () => void>()
  let turn = 0
  const after = (client: string): ReadonlyArray<string> => {
    const at = clients.indexOf(client)
    return at < 0 ? [] : clients.slice(at + 1, at + 2)
  }
  return {
    wait(client, come) {
      if (clients.indexOf(client) <= turn) come()
      else waiting.set(client, come)
    },
    passed(client) {
      if (!clients.includes(client)) return
      turn++
      for (const next of after(client)) waiting.get(next)?.()
    },
    after
  }
}
