import type { MarkedProcess } from "../../src/domain/owner-mark.ts"
import type { BarrierOwner, Ending, Plan, WireStep } from "../../src/domain/plan.ts"

/** A finite part of what a chart can be fed with, so that all of its states in it can be reached. */
export interface SmallFeed {
  readonly inputs: ReadonlyArray<unknown>
  /** The fields of events that guards, params and actions read. Each comes with every type. */
  readonly payloads: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Whether the search goes on behind a state with this context; counters would go on for ever. */
  isSmall?(context: Readonly<Record<string, unknown>>): boolean
}

const write: WireStep = { kind: "write", bytes: "data: 1\n\n", events: 1 }
const pause: WireStep = { kind: "pause", ms: 10 }
const barrier: WireStep = { kind: "barrier", name: "first", owner: "call" satisfies BarrierOwner }
const head: WireStep = { kind: "head", status: 200, headers: [] }

/** No step, one or two after the head, of every kind in every order. */
const bodies: ReadonlyArray<ReadonlyArray<WireStep>> = [
  [],
  ...[write, pause, barrier].flatMap((one) => [[one], ...[write, pause, barrier].map((two) => [one, two])])
]

const endings: ReadonlyArray<readonly [ending: Ending, beats: boolean]> = [
  ["end", false],
  ["fin", false],
  ["vanish", false],
  ["stall", false],
  ["stall", true]
]

const plans: ReadonlyArray<Plan> = bodies.flatMap((body) => {
  const steps = [head, ...body]
  const places = Array.from({ length: steps.length + 1 }, (_, crossesAt) => crossesAt)
  // What comes before them matters to endings only as one step.
  const after = body.length > 1 ? endings.filter(([ending, beats]) => ending === "end" || beats) : endings
  return after.flatMap(([ending, beats]) =>
    places.flatMap((crossesAt) =>
      [true, false].map((isOpen) => {
        const plan: Plan = { steps, ending, crossesAt, keepAlive: body.length > 1, isOpen }
        return beats ? { ...plan, heartbeat: { ms: 10, bytes: ":\n\n" } } : plan
      })
    )
  )
})

const sayings = [true, false].map(
  (isOpen): Plan => ({ steps: [write], ending: "end", crossesAt: 0, keepAlive: false, isOpen })
)

const isAtMost = (value: unknown, max: number): boolean => typeof value === "number" && value <= max

const marked: MarkedProcess = { pid: 43, startTime: "1", spawnId: 1 }

/** By chart id. Every chart in `machines/` has a row. */
export const smallFeeds: Readonly<Record<string, SmallFeed>> = {
  "agent-call": {
    inputs: [null, 20_000].map((deadlineMs) => ({ deadlineMs })),
    payloads: [{ answer: { kind: "result", result: 1 } }]
  },
  "agent-request": {
    inputs: [undefined],
    payloads: [{ result: "yes", error: { code: -32_601, message: "no", data: undefined } }]
  },
  "agent-session": {
    inputs: [{ leaveMs: 30_000 }],
    payloads: ["eof", "terminate", "kill"].flatMap((mode) => [true, false].map((needsAuth) => ({ mode, needsAuth })))
  },
  copy: {
    inputs: [
      ...plans.map((plan) => ({ plan })),
      ...plans.filter(({ steps }) => steps.length === 1).map((plan) => ({ plan, isQueued: true })),
      undefined
    ],
    payloads: sayings.map((plan) => ({ plan })),
    isSmall: ({ said }) => said === null || isAtMost(Reflect.get(Object(said), "steps"), 2)
  },
  expectation: {
    inputs: [[], ["first"], ["first", "second"]].map((barriers) => ({ name: "first turn", barriers })),
    payloads: ["f00d", null].flatMap((fingerprint) =>
      ["first", "second", null].map((barrier) => ({ fingerprint, barrier }))
    ),
    // A copy that settles twice would count below nothing.
    isSmall: ({ active, claims }) => isAtMost(active, 3) && isAtMost(claims, 4) && !isAtMost(active, -1)
  },
  "fake-leader": {
    inputs: [true, false].map((listens) => ({ listens, readyAfterMs: 5 })),
    payloads: [0, 4].map((code) => ({ code }))
  },
  "fake-leader-client": {
    inputs: [true, false].map((evictsUnreachable) => ({ reconnectDelayMs: 5, evictsUnreachable })),
    payloads: [true, false].flatMap((isOlder) => [true, false].map((isReady) => ({ isOlder, isReady, text: "{}" }))),
    isSmall: ({ spawns, evictions, reconnects }) =>
      isAtMost(spawns, 3) && isAtMost(evictions, 1) && isAtMost(reconnects, 1)
  },
  "fake-leader-peer": {
    inputs: [undefined],
    payloads: [
      {
        introduction: { clientType: "test", mode: "stdio", version: null },
        payload: "{}",
        requestId: "r",
        command: { type: "get_leader_info" }
      }
    ]
  },
  gate: { inputs: [undefined], payloads: [{}] },
  "harness-scope": { inputs: [undefined], payloads: [1, 2].map((number) => ({ number, boundMs: 5 })) },
  "headless-run": {
    inputs: [{ capMs: 5 }, undefined],
    payloads: [
      { code: 0, signal: null },
      { code: null, signal: "SIGKILL" }
    ].map((status) => ({ status })),
    isSmall: ({ streamsEnded }) => isAtMost(streamsEnded, 2)
  },
  lane: {
    inputs: [0, 1, 2, 3].flatMap((length) => [true, false].map((repeatLast) => ({ length, repeatLast }))),
    payloads: [{}],
    isSmall: ({ taken }) => isAtMost(taken, 5)
  },
  "leader-fixture": {
    inputs: [{ readyMs: 500 }],
    payloads: [{ status: { code: 4, signal: null }, pid: 42, found: [marked] }],
    isSmall: ({ registrations }) => isAtMost(registrations, 2) && !isAtMost(registrations, -1)
  },
  "leader-generation": {
    inputs: [undefined],
    payloads: [42, 43, null].flatMap((pid) => [true, false].map((isAlive) => ({ pid, isAlive }))),
    isSmall: ({ generation }) => isAtMost(generation, 3)
  },
  listener: {
    inputs: [undefined],
    payloads: [0, 1_000].flatMap((drainMs) => ["in use", ""].map((reason) => ({ drainMs, reason })))
  },
  "owned-process": {
    inputs: [
      ...[true, false].map((allowsDetached) => ({
        graceMs: 5,
        killWaitMs: 50,
        drainMs: 10,
        sweeps: true,
        allowsDetached
      })),
      { graceMs: 5, killWaitMs: 50, drainMs: 10, sweeps: false, allowsDetached: false }
    ],
    payloads: [
      { isAdoptable: true, canTerminate: true },
      { isAdoptable: true, canTerminate: false },
      { isAdoptable: false, canTerminate: true }
    ].map((how) => ({ ...how, pid: 42, status: { code: 7, signal: null }, problem: "EPERM", found: [marked] })),
    isSmall: ({ problems }) => isAtMost(Object(problems).length, 0)
  },
  "stdio-wire": {
    inputs: [undefined],
    payloads: [
      {
        line: { bytes: new Uint8Array([10]), text: "", isUtf8: true },
        length: 101,
        problem: "EIO",
        outgoing: { text: "a" }
      }
    ]
  },
  "leader-ipc": {
    inputs: [undefined],
    payloads: [true, false].map((isReady) => ({
      isReady,
      isFinal: isReady,
      reason: isReady ? "manual" : "auto_update",
      message: { kind: "pong" }
    }))
  },
  "proxy-connection": {
    inputs: [undefined],
    payloads: ["EPIPE", null].map((problem) => ({ problem, reason: "it was told to be" })),
    isSmall: ({ pumpsEnded }) => isAtMost(pumpsEnded, 1)
  },
  "proxy-listener": { inputs: [undefined], payloads: [{ reason: "in use" }] },
  "proxy-pump": {
    inputs: ["open", "stopped"].map((flow) => ({ flow })),
    payloads: [
      { flow: "open", isHeld: true, delayMs: 300, ending: null, isLast: true },
      { flow: "stopped", isHeld: false, delayMs: 0, ending: "stall", isLast: true },
      { flow: "silent", isHeld: true, delayMs: 0, ending: "halfClose", isLast: false },
      { flow: "open", isHeld: false, delayMs: 300, ending: "vanish", isLast: false },
      { flow: "stopped", isHeld: false, delayMs: 0, ending: "reset", isLast: true }
    ].map((one) => ({ ...one, isWaiting: one.isHeld, ms: 10 }))
  },
  "raw-client": {
    inputs: [true, false].map((keepsResponses) => ({ keepsResponses, eofMs: 5 })),
    payloads: [
      { verdict: "match", mode: "eof" },
      { verdict: "failed", mode: "terminate" },
      { verdict: "skip", mode: "kill" }
    ].flatMap((one) =>
      [true, false].map((isKept) => ({ ...one, isKept, isResponse: !isKept, wait: 1, ms: 9, text: "{}" }))
    ),
    isSmall: ({ skipped }) => isAtMost(skipped, 1)
  },
  "raw-sender": {
    inputs: [undefined],
    payloads: [true, false].map((isLast) => ({ isLast, gapMs: 5 })),
    isSmall: ({ waiting }) => isAtMost(waiting, 2) && !isAtMost(waiting, -1)
  },
  "process-host": { inputs: [undefined], payloads: [{ found: [marked] }] }
}
