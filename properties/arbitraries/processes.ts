import fc from "fast-check"
import type { SimProgram, SimScript, SimStep } from "../../src/sim/process-script.ts"

/** What a test does with its processes. `nth` counts those that are there, modulo their number. */
export type ProcessCommand =
  | {
      readonly kind: "spawn"
      readonly program: number
      readonly allowDetached: boolean
      readonly graceMs: number
      readonly isPiped: boolean
      readonly isLost: boolean
    }
  | { readonly kind: "terminate" | "kill" | "close" | "dispose" | "wait"; readonly nth: number }
  | { readonly kind: "waitFor"; readonly nth: number; readonly ms: number }
  | { readonly kind: "write"; readonly nth: number; readonly bytes: number }
  | { readonly kind: "pass"; readonly ms: number }

/** Programs, what is done with them, and what the machine chooses. */
export interface ProcessScene {
  readonly programs: ReadonlyArray<SimProgram>
  readonly commands: ReadonlyArray<ProcessCommand>
  readonly choices: ReadonlyArray<number>
}

const stream = fc.constantFrom("stdout" as const, "stderr" as const)
const sleep: fc.Arbitrary<SimStep> = fc.record({
  kind: fc.constant("sleep" as const),
  ms: fc.constantFrom(0, 1, 30, 600, Number.POSITIVE_INFINITY)
})

const plainStep: fc.Arbitrary<SimStep> = fc.oneof(
  sleep,
  fc.record({ kind: fc.constant("write" as const), stream, bytes: fc.uint8Array({ maxLength: 20 }) }),
  fc.record({ kind: fc.constantFrom("read" as const, "close input" as const) }),
  fc.record({ kind: fc.constant("close output" as const), stream }),
  fc.record({ kind: fc.constant("exit" as const), code: fc.constantFrom(0, 7) }),
  fc.record({ kind: fc.constant("crash" as const), signal: fc.constantFrom("SIGSEGV", "SIGABRT") })
)

const onTerminate = fc.oneof(
  fc.constantFrom("die" as const, "ignore" as const),
  fc.record({ exitCode: fc.constantFrom(0, 3), afterMs: fc.constantFrom(0, 50, 700) })
)

/** A process that can be killed within the time that a sweep takes. */
const scriptOf = (depth: number, killDelayMs: fc.Arbitrary<number>): fc.Arbitrary<SimScript> =>
  fc.record({
    steps: fc.array(depth === 0 ? plainStep : fc.oneof({ arbitrary: plainStep, weight: 2 }, fork(depth)), {
      maxLength: 5
    }),
    onTerminate,
    killDelayMs
  })

/** Half of them stay when they have done all: one that ends at once leaves nothing to see. */
const lasting = (script: fc.Arbitrary<SimScript>): fc.Arbitrary<SimScript> =>
  fc
    .tuple(script, fc.boolean())
    .map(([one, stays]) =>
      stays ? { ...one, steps: [...one.steps, { kind: "sleep", ms: Number.POSITIVE_INFINITY }] } : one
    )

const descendantDelay = fc.constantFrom(0, 0, 50)

const fork = (depth: number): fc.Arbitrary<SimStep> =>
  fc.record({
    kind: fc.constant("fork" as const),
    script: lasting(scriptOf(depth - 1, descendantDelay)),
    leaves: fc.boolean(),
    holds: fc.subarray(["stdout" as const, "stderr" as const])
  })

/** Programs of which each start ends within its kill wait, and some that cannot be started. */
const programs: fc.Arbitrary<ReadonlyArray<SimProgram>> = fc.array(
  fc.oneof(
    { arbitrary: lasting(scriptOf(2, fc.constantFrom(0, 0, 30, 4_000))), weight: 8 },
    { arbitrary: fc.constant({ refusedWith: "EACCES" }), weight: 1 }
  ),
  { minLength: 1, maxLength: 3 }
)

/** One that the system never gives back, with a descendant in its group. */
export const unkillable: SimScript = {
  steps: [
    {
      kind: "fork",
      script: { steps: [{ kind: "sleep", ms: Number.POSITIVE_INFINITY }], onTerminate: "ignore" },
      leaves: false,
      holds: ["stdout"]
    },
    { kind: "sleep", ms: Number.POSITIVE_INFINITY }
  ],
  onTerminate: "ignore",
  killDelayMs: Number.POSITIVE_INFINITY
}

const nth = fc.constantFrom(0, 0, 0, 1, 2)
const ms = fc.constantFrom(0, 1, 20, 100, 499, 500, 1_000, 3_000)

const spawn: fc.Arbitrary<ProcessCommand> = fc.record({
  kind: fc.constant("spawn" as const),
  program: fc.nat(3),
  allowDetached: fc.boolean(),
  graceMs: fc.constantFrom(0, 100, 500),
  isPiped: fc.boolean(),
  isLost: fc.constantFrom(false, false, false, true)
})

const commands: fc.Arbitrary<ReadonlyArray<ProcessCommand>> = fc
  .tuple(
    spawn,
    fc.array(
      fc.oneof(
        spawn,
        fc.record({
          kind: fc.constantFrom("terminate" as const, "kill" as const, "close" as const, "dispose" as const),
          nth
        }),
        fc.record({ kind: fc.constant("wait" as const), nth }),
        fc.record({ kind: fc.constant("waitFor" as const), nth, ms }),
        fc.record({ kind: fc.constant("write" as const), nth, bytes: fc.constantFrom(1, 1_000, 70_000) }),
        fc.record({ kind: fc.constant("pass" as const), ms })
      ),
      { maxLength: 14 }
    )
  )
  .map(([first, rest]) => [first, ...rest])

/** A choice, more often calm than not. */
const choice = fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: fc.nat(7), weight: 1 })

/** Any scene. */
export const processScenes: fc.Arbitrary<ProcessScene> = fc.record({
  programs,
  commands,
  choices: fc.array(choice, { maxLength: 120, size: "max" })
})
