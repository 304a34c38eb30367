import fc from "fast-check"

/** Something that happens among a leader and its clients. Clients and sessions are meant modulo how many there are. */
export type FakeLeaderAct =
  | { readonly kind: "client"; readonly version: string }
  | MemberAct
  /** The end of the leader that is there, of one kind or another. */
  | { readonly kind: "kill" | "terminate" }
  | { readonly kind: "wait"; readonly ms: number }

/** Something that one client does. */
export type MemberAct =
  | { readonly kind: "new"; readonly client: number }
  | { readonly kind: "leave"; readonly client: number }
  | { readonly kind: "prompt" | "load"; readonly client: number; readonly session: number }

const small = fc.nat(3)
const version = fc.constantFrom("1.0.0", "2.0.0", "2.0.0-rc.1", "nightly")

const act: fc.Arbitrary<FakeLeaderAct> = fc.oneof(
  fc.record({ kind: fc.constant<"client">("client"), version }),
  fc.record({ kind: fc.constant<"new">("new"), client: small }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom<"prompt" | "load">("prompt", "prompt", "load"),
      client: small,
      session: small
    })
  },
  fc.record({ kind: fc.constant<"leave">("leave"), client: small }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom<"kill" | "terminate">("kill", "terminate") }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant<"wait">("wait"), ms: fc.constantFrom(1, 30, 300, 1_100, 5_000, 40_000) })
  }
)

/** What happens to clients of a leader, and the seed of everything else. */
export interface FakeLeaderScene {
  readonly acts: ReadonlyArray<FakeLeaderAct>
  /** How long leaders that clients start are not ready. */
  readonly readyAfterMs: number
  readonly seed: number
}

const wait = (ms: number): FakeLeaderAct => ({ kind: "wait", ms })

/** A client with a session of its own, which the client before it may load. */
const arrival = fc.record({ version, isShared: fc.boolean() })

const arriving = (
  arrivals: ReadonlyArray<{ readonly version: string; readonly isShared: boolean }>
): ReadonlyArray<FakeLeaderAct> =>
  arrivals.flatMap(
    ({ version, isShared }, client): ReadonlyArray<FakeLeaderAct> => [
      { kind: "client", version },
      wait(3_000),
      { kind: "new", client },
      wait(300),
      { kind: "prompt", client, session: 0 },
      ...(isShared ? [{ kind: "load", client: client + 1, session: client } as const, wait(300)] : [])
    ]
  )

/**
 * Up to three clients that have settled, and then up to twenty acts in any order.
 *
 * @since 0.1.0
 * @category models
 */
export const fakeLeaderScenes: fc.Arbitrary<FakeLeaderScene> = fc
  .record({
    arrivals: fc.array(arrival, { minLength: 1, maxLength: 3 }),
    acts: fc.array(act, { maxLength: 20 }),
    readyAfterMs: fc.constantFrom(0, 200),
    seed: fc.nat(0xffff_ffff)
  })
  .map(({ arrivals, acts, ...rest }) => ({ ...rest, acts: [...arriving(arrivals), ...acts] }))
