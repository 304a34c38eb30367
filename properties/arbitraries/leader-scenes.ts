import fc from "fast-check"
import type { SimProgram, SimScript } from "../../src/sim/process-script.ts"

/** What a simulated leader does; it writes its number into the lock file when it serves. */
export interface SimLeader extends Omit<SimScript, "steps"> {
  /** When it serves; `null` for one that never does. */
  readonly servesAfterMs: number | null
  readonly exitsAfterMs: number | null
  readonly exitCode: number
  /** Descendants that it has from the beginning; what leaves its group carries its mark all the same. */
  readonly descendants: ReadonlyArray<{ readonly leaves: boolean; readonly script: SimScript }>
}

/** Whose number somebody writes into the lock file. */
export type WrittenPid = "the leader" | "a stranger" | "nobody" | "the harness" | "no number"

/** What a test does with a fixture. `nth` counts the clients that are there, modulo their number. */
export type LeaderCommand =
  | { readonly kind: "start client"; readonly isMissing: boolean }
  | { readonly kind: "close client" | "kill client" | "contain client"; readonly nth: number }
  | { readonly kind: "kill" | "reap" | "close" | "dispose" | "contain" }
  | { readonly kind: "wait for another"; readonly timeoutMs: number }
  | { readonly kind: "write lock"; readonly pid: WrittenPid }
  | { readonly kind: "pass"; readonly ms: number }

/** A leader, its clients, what is done with them, and what the machine chooses. */
export interface LeaderScene {
  readonly leader: SimLeader
  readonly client: SimProgram
  readonly commands: ReadonlyArray<LeaderCommand>
  readonly choices: ReadonlyArray<number>
}

const forever = { kind: "sleep", ms: Number.POSITIVE_INFINITY } as const

const onTerminate = fc.oneof(
  fc.constantFrom("die" as const, "ignore" as const),
  fc.record({ exitCode: fc.constantFrom(0, 3), afterMs: fc.constantFrom(0, 50, 1_990, 2_700) })
)

const descendant = fc.record({
  leaves: fc.boolean(),
  script: fc.record({
    steps: fc.constant([forever]),
    onTerminate: fc.constantFrom("die" as const, "ignore" as const),
    killDelayMs: fc.constantFrom(0, 0, 50)
  })
})

const leader: fc.Arbitrary<SimLeader> = fc.record({
  servesAfterMs: fc.constantFrom(0, 0, 0, 0, 0, 70, 70, 29_990, null),
  exitsAfterMs: fc.constantFrom(null, null, null, null, null, null, 30, 1_000, 8_000, 8_000),
  exitCode: fc.constantFrom(0, 4),
  descendants: fc.array(descendant, { maxLength: 2 }),
  onTerminate,
  killDelayMs: fc.constantFrom(0, 0, 0, 30, 1_900, 2_500, Number.POSITIVE_INFINITY)
})

/** One that stays until it is ended, and may leave a leader behind. */
const client: fc.Arbitrary<SimProgram> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      steps: fc.oneof(
        fc.constant([forever]),
        fc.constant([{ kind: "sleep", ms: 100 } as const]),
        descendant.map(({ leaves, script }) => [{ kind: "fork", script, leaves, holds: [] } as const, forever])
      ),
      onTerminate: fc.constantFrom("die" as const, "ignore" as const),
      killDelayMs: fc.constantFrom(0, 0, 5_500)
    })
  },
  { weight: 1, arbitrary: fc.constant({ refusedWith: "EACCES" }) }
)

const nth = fc.nat(3)

const commands: fc.Arbitrary<ReadonlyArray<LeaderCommand>> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("start client" as const),
        isMissing: fc.constantFrom(false, false, false, true)
      })
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom("close client" as const, "kill client" as const), nth })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("contain client" as const), nth }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom("kill" as const, "reap" as const, "close" as const, "close" as const)
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom("dispose" as const, "dispose" as const, "contain" as const) })
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("wait for another" as const),
        timeoutMs: fc.constantFrom(0, 49, 1_000)
      })
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("write lock" as const),
        pid: fc.constantFrom<WrittenPid>("the leader", "a stranger", "a stranger", "nobody", "the harness", "no number")
      })
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(0, 20, 60, 2_000, 6_000, 6_000) })
    }
  ),
  { minLength: 4, maxLength: 14, size: "max" }
)

/** Any scene. */
export const leaderScenes: fc.Arbitrary<LeaderScene> = fc.record({
  leader,
  client,
  commands,
  choices: fc.array(fc.oneof(fc.constant(0), fc.nat(3)), { maxLength: 80, size: "max" })
})
