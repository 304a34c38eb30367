import fc from "fast-check"
import type { MarkedProcess } from "../../src/domain/owner-mark.ts"
import type { BarrierOwner, Ending, Plan, WireStep } from "../../src/domain/plan.ts"

/** What one chart is fed with. */
export interface ChartFeed {
  readonly input: fc.Arbitrary<unknown>
  /** The payload fields that guards, params and actions read, of whatever event. Types are derived from the chart. */
  readonly payload: fc.Arbitrary<Readonly<Record<string, unknown>>>
}

const barrierName = fc.constantFrom("first", "second")
const reason = fc.constantFrom("in use", "")

const wireStep: fc.Arbitrary<WireStep> = fc.oneof(
  fc.record({ kind: fc.constant<"write">("write"), bytes: fc.constant("data: 1\n\n"), events: fc.constant(1) }),
  fc.record({ kind: fc.constant<"pause">("pause"), ms: fc.constantFrom(0, 10, 40_000) }),
  fc.record({
    kind: fc.constant<"barrier">("barrier"),
    name: barrierName,
    owner: fc.constantFrom<BarrierOwner>("call", "gate")
  })
)

/** Plans of up to six steps after a head, crossing at any of them or at the ending. */
const plan: fc.Arbitrary<Plan> = fc
  .record({
    rest: fc.array(wireStep, { maxLength: 6 }),
    ending: fc.constantFrom<Ending>("end", "fin", "rst", "halfClose", "stall", "vanish"),
    crossing: fc.nat(7),
    keepAlive: fc.boolean(),
    isOpen: fc.boolean(),
    beats: fc.boolean()
  })
  .map(({ rest, ending, crossing, keepAlive, isOpen, beats }) => {
    const steps: ReadonlyArray<WireStep> = [{ kind: "head", status: 200, headers: [] }, ...rest]
    const plan = { steps, ending, crossesAt: Math.min(crossing, steps.length), keepAlive, isOpen }
    return beats ? { ...plan, heartbeat: { ms: 10, bytes: ":\n\n" } } : plan
  })

const found: fc.Arbitrary<ReadonlyArray<MarkedProcess>> = fc.array(
  fc.record({ pid: fc.constantFrom(50, 51), startTime: fc.constant("1"), spawnId: fc.constant(1) }),
  { minLength: 1, maxLength: 2 }
)

/**
 * Inputs and payloads by chart id. Every chart in `machines/` has a row: `chart-table.property.ts` fails for one that
 * has none.
 *
 * @since 0.1.0
 * @category models
 */
export const chartFeeds: Readonly<Record<string, ChartFeed>> = {
  "agent-call": {
    input: fc.record({ deadlineMs: fc.constantFrom(null, 0, 20_000) }),
    payload: fc.record({ answer: fc.constantFrom({ kind: "result", result: 1 }, { kind: "broken", reason: "both" }) })
  },
  "agent-request": {
    input: fc.constant(undefined),
    payload: fc.record({
      result: fc.constantFrom(null, "yes"),
      error: fc.constant({ code: -32_601, message: "no", data: undefined })
    })
  },
  "agent-session": {
    input: fc.record({ leaveMs: fc.constantFrom(0, 30_000) }),
    payload: fc.record({ needsAuth: fc.boolean(), mode: fc.constantFrom("eof", "terminate", "kill") })
  },
  copy: { input: fc.record({ plan, isQueued: fc.boolean() }), payload: fc.record({ plan }) },
  expectation: {
    input: fc.record({ name: fc.constantFrom("first turn", ""), barriers: fc.subarray(["first", "second"]) }),
    payload: fc.record({
      fingerprint: fc.constantFrom("f00d", null),
      barrier: fc.oneof(barrierName, fc.constant(null))
    })
  },
  "fake-leader": {
    input: fc.record({ listens: fc.boolean(), readyAfterMs: fc.constantFrom(0, 300) }),
    payload: fc.record({ code: fc.constantFrom(0, 4) })
  },
  "fake-leader-client": {
    input: fc.record({ reconnectDelayMs: fc.constantFrom(0, 1_000, 20_000), evictsUnreachable: fc.boolean() }),
    payload: fc.record({ isOlder: fc.boolean(), isReady: fc.boolean(), text: fc.constantFrom("{}", "") })
  },
  "fake-leader-peer": {
    input: fc.constant(undefined),
    payload: fc.record({
      introduction: fc.constant({ clientType: "test", mode: "stdio", version: null }),
      payload: fc.constantFrom("{}", ""),
      requestId: fc.constant("r"),
      command: fc.constantFrom({ type: "get_leader_info" }, null)
    })
  },
  gate: { input: fc.constant(undefined), payload: fc.constant({}) },
  "harness-scope": {
    input: fc.constant(undefined),
    payload: fc.record({ number: fc.constantFrom(1, 2), boundMs: fc.constantFrom(0, 6_600) })
  },
  "headless-run": {
    input: fc.record({ capMs: fc.constantFrom(0, 500) }),
    payload: fc.record({
      status: fc.constantFrom({ code: 0, signal: null }, { code: null, signal: "SIGKILL" })
    })
  },
  lane: { input: fc.record({ length: fc.nat(4), repeatLast: fc.boolean() }), payload: fc.constant({}) },
  "leader-fixture": {
    input: fc.record({ readyMs: fc.constantFrom(0, 30_000) }),
    payload: fc.record({ status: fc.constant({ code: 4, signal: null }), pid: fc.constantFrom(42, 43), found })
  },
  "leader-generation": {
    input: fc.constant(undefined),
    payload: fc.record({ pid: fc.constantFrom(42, 43, null), isAlive: fc.boolean() })
  },
  listener: { input: fc.constant(undefined), payload: fc.record({ drainMs: fc.constantFrom(0, 1000), reason }) },
  "owned-process": {
    input: fc.record({
      graceMs: fc.constantFrom(0, 500),
      killWaitMs: fc.constantFrom(0, 5_000),
      drainMs: fc.constantFrom(0, 1_000),
      sweeps: fc.boolean(),
      allowsDetached: fc.boolean()
    }),
    payload: fc.record({
      pid: fc.constantFrom(42, 43),
      isAdoptable: fc.boolean(),
      canTerminate: fc.boolean(),
      status: fc.constantFrom({ code: 7, signal: null }, { code: null, signal: "SIGKILL" }),
      problem: fc.constantFrom("EPERM", "EINVAL"),
      found
    })
  },
  "stdio-wire": {
    input: fc.constant(undefined),
    payload: fc.record({
      line: fc.constant({ bytes: new Uint8Array([10]), text: "", isUtf8: true }),
      length: fc.constantFrom(100, 101),
      problem: fc.constant("EIO"),
      outgoing: fc.constantFrom({ text: "a" }, { text: "b" })
    })
  },
  "leader-ipc": {
    input: fc.constant(undefined),
    payload: fc.record({
      isFinal: fc.boolean(),
      isReady: fc.boolean(),
      reason: fc.constantFrom("manual", "auto_update"),
      message: fc.constantFrom({ kind: "acp", payload: "{}" }, { kind: "pong" })
    })
  },
  "proxy-connection": {
    input: fc.constant(undefined),
    payload: fc.record({ reason: fc.constantFrom("it was told to be", ""), problem: fc.constantFrom("EPIPE", null) })
  },
  "proxy-listener": { input: fc.constant(undefined), payload: fc.record({ reason }) },
  "proxy-pump": {
    input: fc.record({ flow: fc.constantFrom("open", "stopped", "silent") }),
    payload: fc.record({
      flow: fc.constantFrom("open", "stopped", "silent"),
      isHeld: fc.boolean(),
      isWaiting: fc.boolean(),
      delayMs: fc.constantFrom(0, 300),
      ending: fc.constantFrom(null, "stall", "halfClose", "vanish", "reset"),
      isLast: fc.boolean(),
      ms: fc.constantFrom(0, 10)
    })
  },
  "raw-client": {
    input: fc.record({ keepsResponses: fc.boolean(), eofMs: fc.constantFrom(0, 30_000) }),
    payload: fc.record({
      wait: fc.constantFrom(1, 2),
      ms: fc.constantFrom(0, 200),
      isKept: fc.boolean(),
      text: fc.constantFrom("{}", ""),
      verdict: fc.constantFrom("match", "failed", "skip"),
      isResponse: fc.boolean(),
      mode: fc.constantFrom("eof", "terminate", "kill")
    })
  },
  "raw-sender": {
    input: fc.constant(undefined),
    payload: fc.record({ isLast: fc.boolean(), gapMs: fc.constantFrom(0, 20) })
  },
  "process-host": { input: fc.constant(undefined), payload: fc.record({ found }) }
}
