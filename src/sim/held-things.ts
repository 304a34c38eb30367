import { madeAt } from "./made-at.ts"

/** What code of a run can hold open. A `detached-fiber` is one that nothing of what its runtime was asked to run would end. */
export const heldKinds = [
  "request",
  "connection",
  "pair",
  "process",
  "listener",
  "interval",
  "timer",
  "detached-fiber",
  "fiber"
] as const

/**
 * A kind of thing that a run may leave behind.
 *
 * @since 0.1.0
 * @category models
 */
export type HeldKind = (typeof heldKinds)[number]

/** Something that is held, for people. */
export interface Held {
  readonly kind: HeldKind
  readonly actor: string
  /** What it is, beside its kind. */
  readonly what: string
  /** Milliseconds of virtual time. */
  readonly sinceMs: number
  /** File, line and column, where they are wanted and known. */
  readonly madeAt: string | null
}

/** One thing that is open. Its holder says how it ends. */
export interface HeldThing {
  /** Its holder gave it back. */
  closed(): void
  /** It came to its end by itself: when the program had ended already, its holder had forgotten it. */
  ended(): void
}

/** What is told of a thing that is opened. */
export interface HeldParts {
  readonly kind: HeldKind
  readonly actor: string
  /** Asked when the run is over. **Takes** its running number among those of its kind, from 1 */
  readonly what: (number: number) => string
  /** Whether it would keep a process alive; asked when the run is over. Default: it would. */
  readonly counts?: () => boolean
}

/**
 * What code of one run holds open. What is opened when the program has ended is no matter of its own.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface HeldThings {
  /** `null` where nobody wants to know. */
  opened(parts: HeldParts): HeldThing | null
  /** Something that is ended by the run, for nobody else did; whoever opened it kept its own count. */
  leftBehind(held: Omit<Held, "madeAt">): void
  programEnded(): void
  /** What was held when the program ended and was not given back until now. */
  left(): ReadonlyArray<Held>
}

interface OpenThing {
  readonly held: () => Held
  readonly counts: () => boolean
}

/** @since 0.1.0 @category constructors */
export const makeHeldThings = (options: {
  readonly kinds: ReadonlyArray<HeldKind>
  readonly now: () => number
  /** Whether places are wanted, which cost a stack each. */
  readonly hasPlaces: boolean
}): HeldThings => {
  const { kinds, now, hasPlaces } = options
  const open = new Map<HeldThing, OpenThing>()
  const leftBehind: Array<Held> = []
  const numbers = new Map<HeldKind, number>()
  let hasEnded = false
  return {
    opened({ kind, actor, what, counts = () => true }) {
      if (hasEnded || !kinds.includes(kind)) return null
      const number = (numbers.get(kind) ?? 0) + 1
      numbers.set(kind, number)
      const sinceMs = now()
      const thing: HeldThing = {
        closed: () => void open.delete(thing),
        ended: () => {
          if (!hasEnded) open.delete(thing)
        }
      }
      const place = hasPlaces ? madeAt() : null
      open.set(thing, { held: () => ({ kind, actor, what: what(number), sinceMs, madeAt: place }), counts })
      return thing
    },
    leftBehind(held) {
      if (kinds.includes(held.kind)) leftBehind.push({ ...held, madeAt: null })
    },
    programEnded() {
      hasEnded = true
    },
    left: () => [...[...open.values()].filter(({ counts }) => counts()).map(({ held }) => held()), ...leftBehind]
  }
}
