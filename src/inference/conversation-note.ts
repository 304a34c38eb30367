import { clip } from "../domain/clip.ts"
import type { Conversation } from "../domain/conversation.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { Trace } from "../kernel/trace.ts"
import type { LogRecord } from "./log-slot.ts"

/**
 * Who asks, for one request: found out when something wants to know it, and written in log and trace when it is decided, by
 * then or later, whether the request counts as a try.
 *
 * @since 0.1.0
 * @category sessions
 */
export interface ConversationNote {
  /** Something wants to know it. */
  conversation(): Conversation
  /** It is decided. The trace is written once; the log says what was decided last. */
  decided(as: { readonly isTry: boolean }): void
}

/** Clients choose the name of a session: more than so many characters of it stand in no log and no trace. */
const sessionLengthMax = 256

/** @since 0.1.0 @category constructors */
export const makeConversationNote = (
  { known, find }: { readonly known: KnownAttempt | null; readonly find: () => Conversation },
  { entry, trace }: { readonly entry: Pick<LogRecord, "number" | "identified">; readonly trace: Pick<Trace, "record"> }
): ConversationNote => {
  let isWanted = known !== null
  let isTry: boolean | null = null
  let isTraced = false
  const write = (): void => {
    if (!isWanted || isTry === null) return
    const { session: name, sessionRule, turn, callRule } = find()
    const session = clip(name, sessionLengthMax)
    const { attempt, retryOf, because } = (isTry ? known : null) ?? uncounted
    entry.identified({ session, turn, attempt })
    if (isTraced) return
    isTraced = true
    const who = { session, sessionRule, turn, attempt, callRule, retryOf, because }
    trace.record({ type: "conversation", request: entry.number, ...who })
  }
  return {
    conversation() {
      if (!isWanted) {
        isWanted = true
        write()
      }
      return find()
    },
    decided(as) {
      isTry = as.isTry
      write()
    }
  }
}

/** Of a request whose attempts nobody counts, or that is none. */
const uncounted = { attempt: null, retryOf: null, because: null }
