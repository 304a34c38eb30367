import type { Ask, Ending, Member, Wanted } from "./story.ts"

/** One answer in progress or over, and what its client has of it. */
export interface StoryCopy {
  readonly number: number
  readonly client: number
  readonly ask: Ask
  /** Equal for all tries of one call, and for those of the same call made again. */
  readonly words: string
  /** The call itself, by its words and the number of its first try. Whom nobody counted has only words. */
  call: string
  /** `null` while nobody counts. */
  attempt: number | null
  /** Its number among those tries that did not join an answer in progress; of one that joined that of the try before. */
  place: number
  stage: "held" | "writing" | "barred" | "stalled" | "ended" | "gone"
  status: number | null
  text: string
  ended: Ending | null
  settled: "crossed" | "cancelled" | null
  /** It came whole. */
  isComplete: boolean
  wasTaken: boolean
  /** Who ended it before its end. */
  leaver: "client" | "server" | null
  script: StoryScript | null
  isPrimary: boolean
  /** What it does when its barrier opens. */
  rest: () => void
}

/** One registered expectation. */
export interface StoryScript extends Member {
  /** Its deed: alternatives and attempts of one deed know each other. */
  readonly deed: number
  readonly does: "expect" | "any" | "attempts"
  /** From 1, of those of its deed. */
  readonly place: number
  phase: "Pending" | "Received" | "Blocked" | "Satisfied" | "Abandoned" | "Retired"
  isReleased: boolean
  sameness: string | null
  primary: StoryCopy | null
  active: number
}

/** One `next` or `gather`. */
export interface StoryTaking {
  readonly wanted: Wanted
  readonly count: number
  /** It was asked of a closed server. */
  readonly isLate: boolean
  came: ReadonlyArray<StoryCopy>
  /** All were there at once; from then on nothing changes. */
  isComplete: boolean
  hand: ReadonlyArray<StoryCopy> | "waits" | "failed"
}

/** One connection of a client; each client has one at a time. */
export interface StoryConnection {
  isOpen: boolean
  /** An answer that was cut has ended it for its client; it closes in a moment of its own. */
  isSpent: boolean
  /** What it is busy with, or was last. */
  present: StoryCopy | "upload" | null
}

/** All that the model knows. */
export interface StoryState {
  readonly isStrict: boolean
  isCounting: boolean
  readonly mayRetriesTakeAny: boolean
  readonly scripts: Array<StoryScript>
  readonly takings: Array<StoryTaking>
  readonly copies: Array<StoryCopy>
  readonly connections: Array<StoryConnection | null>
  readonly tries: Map<string, StoryCopy>
  readonly abandoned: Array<string>
  readonly unexpected: Array<string>
  readonly ends: Array<string>
  readonly said: Array<string>
  readonly agenda: Array<{ readonly due: number; readonly act: () => void }>
  now: number
  closing: "no" | "draining" | "ending" | "closed"
}

export const freshStoryState = (
  options: Pick<StoryState, "isStrict" | "isCounting" | "mayRetriesTakeAny">
): StoryState => ({
  ...options,
  scripts: [],
  takings: [],
  copies: [],
  connections: [],
  tries: new Map(),
  abandoned: [],
  unexpected: [],
  ends: [],
  said: [],
  agenda: [],
  now: 0,
  closing: "no"
})

/** Lets time pass: what is due happens in the order of its time, and of its planning where that is the same. */
export const elapse = (state: StoryState, ms: number): void => {
  const end = state.now + ms
  for (;;) {
    const due = Math.min(...state.agenda.map((entry) => entry.due))
    if (due > end || state.agenda.length === 0) break
    const [entry] = state.agenda.splice(
      state.agenda.findIndex((candidate) => candidate.due === due),
      1
    )
    state.now = Math.max(state.now, due)
    entry?.act()
  }
  state.now = end
}

export const soon = (state: StoryState, act: () => void): void => {
  state.agenda.push({ due: state.now, act })
}
