import { and, assign, cancel, not, or, raise, setup } from "xstate"

/** Any type: the chart is full of wildcards. `k` is absent in events of xstate's own. */
export interface NastyEvent {
  readonly type: string
  readonly k?: number
  readonly output?: unknown
}

const kOf = (event: NastyEvent): number => event.k ?? 0

/** Uses everything that the compiler reads, in the combinations that are easy to get wrong. Only for tests. */
export const nastyMachine = setup({
  types: {
    input: {} as { readonly start: number },
    context: {} as { readonly n: number; readonly seen: string; readonly armed: boolean; readonly got: unknown },
    events: {} as NastyEvent,
    output: {} as { readonly n: number; readonly got: unknown; readonly event: NastyEvent }
  },
  actions: {
    note: (_, _params: { readonly at: string; readonly n?: number }) => {},
    plain: () => {},
    add: assign(({ context }, params: { readonly by: number }) => ({ n: context.n + params.by })),
    // Both values come from the context before the assignment.
    swap: assign({ n: ({ context }) => context.n + context.seen.length, seen: ({ context }) => `${context.n}` }),
    remember: assign({ seen: ({ context, event }) => `${context.seen}${event.type.length % 10}`.slice(-8) }),
    disarm: assign({ armed: false }),
    rearm: assign({ armed: true }),
    keep: assign({ n: ({ context }) => context.n }),
    take: assign({ got: ({ event }) => event.output ?? null }),
    raiseInner: raise(({ context }, params: { readonly k: number }) => ({ type: "inner", k: params.k + context.n })),
    raiseDeep: raise({ type: "a.b.raised", k: 4 }),
    raiseLate: raise(({ event }) => ({ type: "late", k: kOf(event) }), { id: "late", delay: "computed" }),
    raiseFixed: raise({ type: "a.late" }, { id: "fixed", delay: 7 }),
    raiseSlow: raise((_, params: { readonly k: number }) => ({ type: "late", k: params.k }), {
      id: "slow",
      delay: ({ context }, params) => 100 * params.k + context.n
    }),
    forget: cancel("late"),
    forgetNamed: cancel((_, params: { readonly id: string }) => params.id)
  },
  guards: {
    isEven: ({ context }) => context.n % 2 === 0,
    isArmed: ({ context }) => context.armed,
    isAtLeast: ({ context }, params: { readonly n: number }) => context.n >= params.n,
    isUnknown: ({ event }) => event.type === "unknown.event",
    isSmallK: ({ event }) => kOf(event) < 3,
    isOddAndArmed: and([not("isEven"), "isArmed"]),
    isEither: or(["isOddAndArmed", { type: "isAtLeast", params: { n: 6 } }])
  },
  delays: {
    computed: ({ context, event }) => context.n * 10 + kOf(event),
    short: 50
  }
}).createMachine({
  id: "nasty",
  context: ({ input }) => ({ n: input?.start ?? 0, seen: "", armed: false, got: null }),
  entry: [{ type: "note", params: { at: "enter root" } }, "remember"],
  exit: [{ type: "note", params: ({ context }) => ({ at: "exit root", n: context.n }) }, "swap"],
  initial: "one",
  on: {
    "*": {
      guard: not("isUnknown"),
      actions: [{ type: "note", params: ({ event }) => ({ at: `root any ${event.type}` }) }, "remember"]
    },
    "a.*": [
      { guard: "isEither", actions: { type: "note", params: { at: "root a.*" } } },
      { guard: "isSmallK", actions: "raiseDeep" }
    ],
    "a.b.*": { guard: "isEven", actions: { type: "add", params: { by: 1 } } },
    "root.again": { target: ".one", reenter: true, actions: { type: "note", params: { at: "again" } } },
    "root.inner": { target: ".one.left.leafA" },
    "root.self": { target: "#nasty", actions: { type: "add", params: ({ event }) => ({ by: kOf(event) }) } },
    "root.selfAgain": { target: "#nasty", reenter: true },
    reset: { actions: assign({ n: 0, seen: "" }) },
    three: ".three",
    two: { target: ".two" },
    four: ".four"
  },
  states: {
    one: {
      initial: { target: "left", actions: [{ type: "note", params: { at: "initial one" } }, "remember"] },
      entry: [
        { type: "add", params: { by: 1 } },
        { type: "note", params: ({ context }) => ({ at: "enter one", n: context.n }) }
      ],
      exit: [{ type: "note", params: ({ context }) => ({ at: "exit one", n: context.n }) }, "raiseDeep"],
      on: {
        "one.self": { target: "one", actions: "plain" },
        "one.again": { target: "one", reenter: true, actions: "plain" },
        "one.leafB": ".left.leafB",
        "one.leafBAgain": { target: ".left.leafB", reenter: true },
        inner: { guard: { type: "isAtLeast", params: { n: 2 } }, target: ".right" },
        late: {
          actions: [
            "forget",
            { type: "forgetNamed", params: ({ context }) => ({ id: context.armed ? "fixed" : "slow" }) }
          ]
        },
        "a.*": { guard: not("isSmallK"), actions: { type: "note", params: { at: "one a.*" } } }
      },
      states: {
        left: {
          initial: "leafA",
          entry: "raiseFixed",
          exit: { type: "forgetNamed", params: { id: "fixed" } },
          on: {
            "left.again": { target: "left", reenter: true },
            "leafA.again": { target: "left.leafA" },
            block: {}
          },
          states: {
            leafA: {
              entry: { type: "note", params: ({ event }) => ({ at: `enter A ${event.type}` }) },
              exit: "remember",
              on: {
                "leaf.self": { target: "leafA", actions: "plain" },
                "leaf.again": { target: "leafA", reenter: true, actions: "raiseLate" },
                "leaf.up": "#nasty.one",
                "leaf.upAgain": { target: "#nasty.one", reenter: true },
                "leaf.root": "#nasty",
                "leaf.rootAgain": { target: "#nasty", reenter: true },
                "leaf.left": { target: "#nasty.one.left", actions: "rearm" },
                "a.b.*": [
                  { guard: { type: "isAtLeast", params: ({ event }) => ({ n: kOf(event) }) }, target: "leafB" },
                  {
                    guard: and([or(["isArmed", "isOddAndArmed"]), not(and(["isEven", "isSmallK"]))]),
                    actions: "disarm"
                  }
                ],
                "a.b.c": {
                  guard: "isSmallK",
                  actions: { type: "raiseInner", params: ({ event }) => ({ k: kOf(event) }) }
                },
                "a.*": { guard: not(or(["isEven", "isSmallK"])), target: "leafB", actions: "rearm" }
              },
              after: {
                25: "leafB",
                short: [{ guard: "isArmed", target: "#nasty.two" }, { actions: "plain" }],
                computed: { target: "#nasty.one.right", actions: "raiseDeep" }
              }
            },
            leafB: {
              entry: [{ type: "raiseSlow", params: ({ event }) => ({ k: kOf(event) }) }, "rearm"],
              on: { "*": { guard: "isOddAndArmed", target: "leafA", actions: "disarm" }, "a.b.c": "#nasty.one.right" }
            }
          }
        },
        right: {
          // One for an event that nothing handles, one that loops by assigning, and one that changes nothing.
          always: [
            { guard: and(["isUnknown", not("isArmed")]), target: "#nasty.two" },
            { guard: not("isEven"), actions: { type: "add", params: { by: 1 } } },
            { guard: "isArmed", actions: { type: "note", params: ({ event }) => ({ at: `always ${event.type}` }) } }
          ],
          on: {
            inner: "left",
            poke: { actions: ["disarm", raise({ type: "unknown.event" })] },
            "a.b.c": { actions: "raiseDeep" },
            go: { target: "#nasty.two.second" }
          }
        }
      }
    },
    two: {
      always: { guard: { type: "isAtLeast", params: { n: 9 } }, target: "four" },
      initial: "first",
      exit: "disarm",
      states: {
        first: {
          always: [
            { guard: "isArmed", target: "second", actions: "raiseDeep" },
            { guard: "isEither", target: "third" }
          ]
        },
        second: {
          entry: { type: "add", params: { by: 2 } },
          exit: "keep",
          always: { target: "third", actions: { type: "raiseInner", params: { k: 1 } } }
        },
        third: {
          on: { inner: { target: "#nasty.three", actions: "take" }, "xstate.after.*": "first" },
          after: { short: { target: "first", actions: "keep" } }
        }
      }
    },
    three: {
      initial: "working",
      onDone: [
        { guard: "isArmed", target: "four", actions: ["take", "disarm"] },
        {
          target: "one.right",
          actions: ["take", { type: "note", params: ({ event }) => ({ at: `done ${String(event.output)}` }) }]
        }
      ],
      on: { "xstate.done.*": { actions: "plain" } },
      states: {
        working: {
          on: { go: "ended", "a.*": "deep", late: { target: "ended", actions: "raiseDeep" } },
          always: { guard: { type: "isAtLeast", params: { n: 12 } }, target: "ended" }
        },
        deep: {
          initial: "inside",
          onDone: { target: "ended", actions: ["take", "rearm"] },
          states: {
            inside: { on: { "*": "over" } },
            over: { type: "final", entry: "swap", output: ({ context, event }) => `${context.n} ${event.type}` }
          }
        },
        ended: {
          type: "final",
          output: { fixed: true },
          entry: "plain",
          exit: { type: "note", params: { at: "exit ended" } }
        }
      }
    },
    four: {
      entry: raise({ type: "inner" }),
      on: {
        inner: { guard: "isEven", target: "last", actions: "raiseDeep" },
        "*": { target: "last", guard: "isSmallK" },
        three: { actions: raise({ type: "root.again" }) }
      }
    },
    last: {
      type: "final",
      entry: ["raiseDeep", { type: "add", params: { by: 3 } }, "raiseLate"],
      exit: [{ type: "note", params: ({ context }) => ({ at: "exit last", n: context.n }) }, "raiseDeep"],
      output: ({ context, event }) => ({ n: context.n, of: event.type })
    }
  },
  output: ({ context, event }) => ({ n: context.n, got: context.got, event })
})
