import { sha256 } from "../../../src/domain/digest.ts"
import type { Judges } from "./judges.ts"
import type { StepKernel } from "./step-kernel.ts"
import type { Line } from "./step-lines.ts"
import type { StepServer } from "./step-world.ts"

/**
 * What a race is, at the end of a step. Two moments with one key have the same future: the same steps may happen, and each
 * leads to moments with one key. So a search that was everywhere from the first need not go on from the second.
 *
 * In it is all that a later step reads:
 * - **what is planned**, by label and actor, each pair at most once (`planned()` throws otherwise). What a step does follows from
 *   that pair and the rest of the key: steps of clients and their lines close over nothing but their line; `release`, which the
 *   server postpones, closes over the copies that it wakes, and these are the ones that stand at a barrier and no more in `waiting`.
 * - **the lines**: both ends and what is in flight, the texts themselves.
 * - **the snapshots of all actors of the server**, by role, with the whole plan of a copy and with what it answers from, for
 *   only its watcher knows whether it is the primary of its call. Those of copies that are over are left
 *   out: nothing reads them (`tell` in http-app.ts stops at `isOver`, which the chart's last action sets).
 * - **what the book keeps beside its charts**: who waits at which barrier, in order, for they are woken in it; who is pending, in
 *   order; what is published to the handles of the test.
 * - **the judges**: their verdict belongs to the future too. They see requests and copies renamed after their tries, one to one;
 *   they ask of those numbers only whether two are equal, and walk their tables to find any that fits, never the first. Therefore
 *   maps and sets are written sorted.
 *
 * Left out is what is written and never read by a step: the trace, the request log, the words of requests that passed by, the
 * names of abandoned expectations, the numbers of requests and actors. Left out too is what follows from the key: the tables
 * of live calls (active expectations with their fingerprints), of pending ones and of names in the book, the copies and exchanges of
 * the app (copies that are not over), whose turn it is to arrive (turns.ts: the first whose line has not), `http-app`'s room (nothing is queued), the mailbox (empty between steps), the time (0).
 *
 * Two steps are independent when they touch nothing in common (`touches`): a client's own steps read and write its line alone;
 * all steps of the server touch `server`, which stands for everything inside it and for the judges, and the line that they
 * read, write or plan for: `release` and what the test does may reach every line, and touch all clients.
 */
export const stateKey = (world: {
  readonly kernel: StepKernel
  readonly server: StepServer
  readonly lines: ReadonlyArray<Line>
  readonly hasActed: boolean
  readonly judges: Judges
}): string => {
  const { kernel, server, lines, hasActed, judges } = world
  const { actors, core } = server
  const parts = [
    ...kernel.planned(),
    `${hasActed}`,
    ...lines.map((line) => JSON.stringify(line)).sort(),
    ...actors
      .filter(({ chart, snapshot }) => !(chart === "copy" && snapshot.status === "done"))
      .map(({ id, snapshot: { state, status, context } }) =>
        written([judges.roleOf(id), judges.sourceOf(id), state, status, context])
      )
      .sort(),
    ...core.book.pending().map(({ data }) => data.name),
    ...core.book.unsettled().map(({ data: { name, progress } }) => {
      const { phase, wasBlocked, claims, isDelivered, reached } = progress
      const waiting = [...progress.waiting].map(([barrier, copies]) => [
        barrier,
        [...copies].map((copy) => judges.roleOf(copy.id))
      ])
      return written([name, phase, wasBlocked, claims, isDelivered, reached, waiting])
    }),
    ...judges.states.map(written)
  ]
  return sha256(parts.join("\n"))
}

/** As text. Of maps and sets the order means nothing. */
const written = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value)
  if (typeof value !== "object" || value === null) return String(value)
  let text = ""
  if (value instanceof Map || value instanceof Set) {
    const parts: Array<string> = []
    if (value instanceof Map) for (const [key, part] of value) parts.push(`${written(key)}:${written(part)}`)
    else for (const member of value) parts.push(written(member))
    return `{${parts.length > 1 ? parts.sort().join() : parts.join()}}`
  }
  if (Array.isArray(value)) {
    for (const part of value) text += `${written(part)},`
    return `[${text}]`
  }
  // A plan changes never, and holds nothing but data.
  if ("crossesAt" in value) return JSON.stringify(value)
  for (const [key, part] of Object.entries(value)) text += `${key}:${written(part)},`
  return `{${text}}`
}
