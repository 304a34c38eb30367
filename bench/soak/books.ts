import type { Phase } from "../../src/domain/phase.ts"
import type { TraceEvent } from "../../src/domain/trace-event.ts"

/** So many names are kept behind their end. */
const satisfiedMax = 10_000

/** What the trace of a run came to. */
export interface Books {
  see(event: TraceEvent): void
  requests(): number
  /** Expectations that were claimed by a primary, and copies that joined them. */
  claims(): { readonly primaries: number; readonly replays: number }
  outcomes(): Readonly<Record<string, number>>
  /** What cannot be, as sentences; the first of each kind. */
  problems(): ReadonlyArray<string>
  /** What has to be true when everything is over. */
  problemsAtTheEnd(): ReadonlyArray<string>
}

/**
 * Keeps the books of requests and expectations by what the trace tells, whatever its length: each request ends exactly once, each
 * expectation has one primary, phases go forward, and nothing in the trace is left out.
 */
export const makeBooks = (): Books => {
  const found = new Map<string, string>()
  const open = new Set<number>()
  const outcomes: Record<string, number> = {}
  /** Expectations that are not settled, and whether a primary has claimed them. */
  const claimed = new Map<string, boolean>()
  /** Names of calls that were satisfied, which copies may still join; the newest are kept. */
  const satisfied = new Set<string>()
  let requests = 0
  let primaries = 0
  let replays = 0
  let nextIndex: number | null = null

  const wrong = (kind: string, text: string): void => {
    if (!found.has(kind)) found.set(kind, text)
  }
  const seePhase = (name: string, phase: Phase): void => {
    if (phase !== "Satisfied" && phase !== "Abandoned" && phase !== "Retired") return
    const wasClaimed = claimed.get(name)
    if (wasClaimed === undefined) wrong("phase", `${name} became ${phase} again`)
    else if (wasClaimed !== (phase !== "Retired")) wrong("unclaimed", `${name} became ${phase}, claimed: ${wasClaimed}`)
    claimed.delete(name)
    if (phase !== "Satisfied") return
    satisfied.add(name)
    const [oldest] = satisfied
    if (satisfied.size > satisfiedMax && oldest !== undefined) satisfied.delete(oldest)
  }
  return {
    see(event) {
      if (nextIndex !== null && event.index !== nextIndex) wrong("gap", `event ${event.index} follows ${nextIndex - 1}`)
      nextIndex = event.index + 1
      switch (event.type) {
        case "request":
          requests++
          if (event.request !== requests) wrong("number", `request ${event.request} is the ${requests}th`)
          open.add(event.request)
          break
        case "ended":
          outcomes[event.outcome] = (outcomes[event.outcome] ?? 0) + 1
          if (!open.delete(event.request)) wrong("twice", `request ${event.request} has ended twice, or never came`)
          break
        case "expectation":
          if (claimed.has(event.name)) wrong("name", `${event.name} was registered twice`)
          claimed.set(event.name, false)
          break
        case "decision":
          if (event.source === "expectation") {
            primaries++
            if (claimed.get(event.expectation ?? "") !== false)
              wrong("claim", `${event.expectation} was claimed by request ${event.request}, and not pending`)
            claimed.set(event.expectation ?? "", true)
          } else if (event.source === "replay") {
            replays++
            if (claimed.get(event.expectation ?? "") !== true && !satisfied.has(event.expectation ?? ""))
              wrong("replay", `request ${event.request} joined ${event.expectation}, which nobody has claimed`)
          }
          break
        case "phase":
          seePhase(event.expectation, event.phase)
          break
        case "closed":
          for (const line of event.blocked) wrong("blocked", `cut when it closed: ${line}`)
      }
    },
    requests: () => requests,
    claims: () => ({ primaries, replays }),
    outcomes: () => ({ ...outcomes }),
    problems: () => [...found.values()],
    problemsAtTheEnd: () => [
      ...found.values(),
      ...(open.size > 0 ? [`${open.size} requests have no end, the first of them ${[...open][0]}`] : [])
    ]
  }
}
