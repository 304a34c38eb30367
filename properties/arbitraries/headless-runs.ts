import fc from "fast-check"
import type { SimScript, SimStep } from "../../src/sim/process-script.ts"

const stream = fc.constantFrom("stdout" as const, "stderr" as const)

const write: fc.Arbitrary<SimStep> = fc.record({
  kind: fc.constant("write" as const),
  stream,
  bytes: fc.oneof(
    fc.constant(Uint8Array.of(0xef, 0xbb, 0xbf)),
    fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 6 })
  )
})

const sleep: fc.Arbitrary<SimStep> = fc.record({
  kind: fc.constant("sleep" as const),
  ms: fc.constantFrom(0, 1, 30, 600, Number.POSITIVE_INFINITY)
})

const last: fc.Arbitrary<SimStep> = fc.oneof(
  fc.record({ kind: fc.constant("exit" as const), code: fc.constantFrom(0, 7) }),
  fc.record({ kind: fc.constant("crash" as const), signal: fc.constantFrom("SIGSEGV", "SIGKILL") })
)

/** A descendant that writes as well and may leave its group, with the output in its hands. */
const fork: fc.Arbitrary<SimStep> = fc.record({
  kind: fc.constant("fork" as const),
  script: fc.record({ steps: fc.array(fc.oneof(write, sleep), { maxLength: 2 }) }),
  leaves: fc.boolean(),
  holds: fc.subarray(["stdout" as const, "stderr" as const])
})

const scriptOf = (step: fc.Arbitrary<SimStep>): fc.Arbitrary<SimScript> =>
  fc.record({
    steps: fc.array(step, { maxLength: 6, size: "max" }),
    onTerminate: fc.constantFrom("die" as const, "ignore" as const),
    killDelayMs: fc.constantFrom(0, 0, 30, 4_000, Number.POSITIVE_INFINITY)
  })

/** A program, when it is killed, and how long things take. */
export interface HeadlessScene {
  readonly script: SimScript
  readonly capMs: number
  readonly timeoutScale: number
  readonly choices: ReadonlyArray<number>
}

const sceneOf = (script: fc.Arbitrary<SimScript>): fc.Arbitrary<HeadlessScene> =>
  fc.record({
    script,
    capMs: fc.constantFrom(0, 1, 30, 500, 60_000),
    timeoutScale: fc.constantFrom(1, 1, 3),
    choices: fc.array(fc.oneof(fc.constant(0), fc.nat(3)), { maxLength: 40, size: "max" })
  })

/** Any program. */
export const headlessScenes: fc.Arbitrary<HeadlessScene> = sceneOf(scriptOf(fc.oneof(write, sleep, last, fork)))

/** Programs that only write, and wait, and end. */
export const plainScenes: fc.Arbitrary<HeadlessScene> = sceneOf(
  fc.record({ steps: fc.array(fc.oneof({ arbitrary: write, weight: 3 }, sleep, last), { maxLength: 8, size: "max" }) })
)
