/**
 * Who follows which session, and who drives it.
 *
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category models
 */
export interface SessionAudience {
  /** Gives whether the client did not follow the session before. */
  follow(client: number, sessionId: string): boolean
  /** Follows the session, and is its driver from now on. */
  drive(client: number, sessionId: string): void
  leave(client: number, sessionId: string): void
  leaveAll(client: number): void
  /** Nobody follows a session any more. */
  close(sessionId: string): void
  /** In the order in which they came. */
  followers(sessionId: string): ReadonlyArray<number>
  /** Who prompted last of those that are there, or else came first; `null` when nobody follows. */
  driver(sessionId: string): number | null
}

/** @since 0.1.0 @category constructors */
export const makeSessionAudience = (): SessionAudience => {
  /** The followers of each session by when they came, with when they last prompted: 0 for never. */
  const sessions = new Map<string, Map<number, number>>()
  let prompts = 0

  const follow = (client: number, sessionId: string): boolean => {
    const followers = sessions.get(sessionId) ?? new Map<number, number>()
    sessions.set(sessionId, followers)
    if (followers.has(client)) return false
    followers.set(client, 0)
    return true
  }
  const leave = (client: number, sessionId: string): void => {
    const followers = sessions.get(sessionId)
    followers?.delete(client)
    if (followers?.size === 0) sessions.delete(sessionId)
  }
  return {
    follow,
    drive(client, sessionId) {
      follow(client, sessionId)
      sessions.get(sessionId)?.set(client, ++prompts)
    },
    leave,
    leaveAll(client) {
      for (const sessionId of [...sessions.keys()]) leave(client, sessionId)
    },
    close: (sessionId) => void sessions.delete(sessionId),
    followers: (sessionId) => [...(sessions.get(sessionId)?.keys() ?? [])],
    driver(sessionId) {
      let found: readonly [client: number, prompted: number] | null = null
      for (const one of sessions.get(sessionId) ?? []) if (found === null || one[1] > found[1]) found = one
      return found?.[0] ?? null
    }
  }
}
