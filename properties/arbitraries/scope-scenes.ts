import fc from "fast-check"

/** How something that a scope holds behaves. */
export interface Behaviour {
  /** How long getting it takes. */
  readonly startMs: number
  readonly startFails: boolean
  /** How long giving it back takes; `null` never ends. */
  readonly releaseMs: number | null
  /** `throws`: at once, where a promise was expected. */
  readonly releaseEnds: "well" | "badly" | "throws"
  readonly boundMs: number
}

/** What a body does. Scopes and resources are named by a number, modulo how many there are. */
export type ScopeCommand =
  | { readonly kind: "acquire"; readonly scope: number; readonly awaits: boolean; readonly behaviour: Behaviour }
  | { readonly kind: "defer"; readonly scope: number; readonly behaviour: Behaviour }
  | { readonly kind: "open"; readonly scope: number }
  | { readonly kind: "close"; readonly scope: number; readonly awaits: boolean }
  | { readonly kind: "forget"; readonly resource: number }
  | { readonly kind: "pass"; readonly ms: number }

/** A body, and how it ends. */
export interface ScopeScene {
  readonly commands: ReadonlyArray<ScopeCommand>
  readonly ending: "returns" | "throws" | "is interrupted"
  /** When it is interrupted, if it has not ended by then. */
  readonly interruptedAtMs: number
}

const number = fc.nat(7)

/** Bounds are odd and durations even, so that none is due together with the other. */
const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  startMs: fc.constantFrom(0, 2, 40),
  startFails: fc.constantFrom(false, false, false, true),
  releaseMs: fc.constantFrom(0, 0, 4, 60, null),
  releaseEnds: fc.constantFrom("well", "well", "badly", "throws"),
  boundMs: fc.constantFrom(5, 5, 71)
})

const command: fc.Arbitrary<ScopeCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant<"acquire">("acquire"),
      scope: number,
      awaits: fc.boolean(),
      behaviour
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant<"defer">("defer"), scope: number, behaviour }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant<"open">("open"), scope: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant<"close">("close"), scope: number, awaits: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant<"forget">("forget"), resource: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant<"pass">("pass"), ms: fc.constantFrom(1, 30) }) }
)

/** @since 0.1.0 @category models */
export const scopeScenes: fc.Arbitrary<ScopeScene> = fc.record({
  commands: fc.array(command, { maxLength: 14 }),
  ending: fc.constantFrom("returns", "throws", "is interrupted"),
  interruptedAtMs: fc.constantFrom(1, 21, 91)
})
