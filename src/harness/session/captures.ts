import { makeBoundedList } from "../../domain/bounded-list.ts"
import { heldBytes, recordedBytes } from "../../domain/held-bytes.ts"
import {
  countedNameMax,
  recordBytesMax,
  recordsMax,
  wireLogBytesMax,
  wireLogEntriesMax
} from "../../domain/session-limits.ts"
import type { SessionUpdate } from "../../wire/acp/session-update.ts"

/** One `session/update`. */
export interface CapturedUpdate extends SessionUpdate {
  /** Number of its line in the wire log. */
  readonly seq: number
}

/** One notification outside the protocol. */
export interface ExtNotification {
  /** Its bare name. */
  readonly method: string
  readonly params: unknown
  readonly seq: number
}

/** A place between two lines of the wire: everything after it is new. */
export interface WireMark {
  readonly seq: number
}

/**
 * What an agent told without being asked: texts and updates within the bounds of the wire log, each by the memory that it takes,
 * counts of all. Kinds, sessions and methods whose names have more than 1,000 characters count in the sums alone.
 *
 * **Source** agent-harness.md, section 2.6
 *
 * @since 0.1.0
 * @category models
 */
export interface Captures {
  /** The agent's message chunks in the order of the wire, without anything between them; of one session or of all. */
  capturedText(sessionId?: string): string
  /** `session/update` notifications that were seen, of whatever kind; of one session or of all. */
  notificationCount(sessionId?: string): number
  /** The same of one kind. */
  updateCount(kind: string, sessionId?: string): number
  updates(sessionId?: string): ReadonlyArray<CapturedUpdate>
  /** A mark behind the last line that came. */
  mark(): WireMark
  updatesSince(mark: WireMark, sessionId?: string): ReadonlyArray<CapturedUpdate>
  /** Notifications outside the protocol, by bare name, the newest 10,000 of all names, and 8 MiB of them; a large one counts for half of that. */
  extNotifications(method?: string): ReadonlyArray<ExtNotification>
  /** How many there were of a name, in whichever of the three shapes. */
  extNotificationCount(method: string): number
  /** Whether updates or texts were dropped. */
  isTruncated(): boolean
}

/** Captures and what fills them. */
export interface FilledCaptures extends Captures {
  update(update: CapturedUpdate): void
  ext(notification: ExtNotification): void
  /** A line came. */
  passed(seq: number): void
}

interface CapturedText {
  readonly sessionId: string | null
  readonly text: string
}

/** @since 0.1.0 @category constructors */
export const makeCaptures = (): FilledCaptures => {
  const bounds = { entriesMax: wireLogEntriesMax, bytesMax: wireLogBytesMax }
  const updates = makeBoundedList<CapturedUpdate>(bounds)
  const texts = makeBoundedList<CapturedText>(bounds)
  const exts = makeBoundedList<ExtNotification>({ entriesMax: recordsMax, bytesMax: recordBytesMax })
  const counts = makeCounter()
  const extCounts = new Map<string, number>()
  let passed = 0

  const ofSession = <A extends { readonly sessionId: string | null }>(
    items: ReadonlyArray<A>,
    sessionId: string | undefined
  ): ReadonlyArray<A> => (sessionId === undefined ? items : items.filter((item) => item.sessionId === sessionId))

  return {
    capturedText: (sessionId) => {
      const pieces = ofSession(texts.items(), sessionId)
      return pieces.map(({ text }) => text).join("")
    },
    notificationCount: (sessionId) => counts.read(null, sessionId),
    updateCount: (kind, sessionId) => counts.read(kind, sessionId),
    updates: (sessionId) => ofSession(updates.items(), sessionId),
    mark: () => ({ seq: passed }),
    updatesSince: ({ seq }, sessionId) =>
      ofSession(
        updates.newest((update) => update.seq > seq),
        sessionId
      ),
    extNotifications: (method) => exts.items().filter((one) => method === undefined || one.method === method),
    extNotificationCount: (method) => extCounts.get(method) ?? 0,
    isTruncated: () => updates.isTruncated() || texts.isTruncated() || exts.isTruncated(),
    update(update) {
      const { sessionId, kind, messageText } = update
      updates.push(update, heldBytes(update))
      counts.add(kind, sessionId)
      if (messageText !== null) texts.push({ sessionId, text: messageText }, heldBytes(messageText))
    },
    ext(notification) {
      exts.push(notification, recordedBytes(notification))
      // Names that an agent invents without end are not counted without end.
      if (!isCountable(notification.method)) return
      if (extCounts.has(notification.method) || extCounts.size < recordsMax)
        extCounts.set(notification.method, (extCounts.get(notification.method) ?? 0) + 1)
    },
    passed(seq) {
      passed = seq
    }
  }
}

const isCountable = (name: string | null): boolean => name === null || name.length <= countedNameMax

interface Counter {
  add(kind: string | null, sessionId: string | null): void
  /** `kind` null is every kind, `sessionId` undefined every session. */
  read(kind: string | null, sessionId: string | undefined): number
}

/** Counts by session and kind; beyond so many different ones the rest counts in the sums alone. */
const makeCounter = (): Counter => {
  const bySession = new Map<string | null, Map<string | null, number>>()
  const byKind = new Map<string | null, number>()
  const sums = new Map<string, number>()
  let total = 0
  let rows = 0
  const count = <K>(counts: Map<K, number>, key: K): void => {
    const before = counts.get(key)
    if (before === undefined && rows >= recordsMax) return
    if (before === undefined) rows++
    counts.set(key, (before ?? 0) + 1)
  }
  const kindsOf = (sessionId: string | null): Map<string | null, number> => {
    const known = bySession.get(sessionId)
    if (known !== undefined) return known
    const kinds = new Map<string | null, number>()
    if (rows < recordsMax) bySession.set(sessionId, kinds)
    return kinds
  }
  return {
    add(kind, sessionId) {
      total++
      if (isCountable(kind)) count(byKind, kind)
      if (!isCountable(sessionId)) return
      if (sessionId !== null) count(sums, sessionId)
      if (isCountable(kind)) count(kindsOf(sessionId), kind)
    },
    read(kind, sessionId) {
      if (sessionId === undefined) return kind === null ? total : (byKind.get(kind) ?? 0)
      return kind === null ? (sums.get(sessionId) ?? 0) : (bySession.get(sessionId)?.get(kind) ?? 0)
    }
  }
}
