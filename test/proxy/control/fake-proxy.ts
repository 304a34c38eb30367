import { Cancelled } from "../../../src/domain/harness-scope-errors.ts"
import type { ConnectionReport, FaultProxy, HeldFrame, ProxyWait } from "../../../src/proxy/fault-proxy.ts"
import type { FaultRule } from "../../../src/proxy/plan/fault-program.ts"
import { readPlan, readRule } from "../../../src/proxy/plan/read-plan.ts"
import type { ProxyEvent } from "../../../src/proxy/proxy-event.ts"
import { noPumpCounts } from "../../../src/proxy/pump-data.ts"

/** A proxy of which only what it is told counts: no byte goes through it. */
export interface FakeProxy {
  readonly proxy: FaultProxy
  /** What it was told, as in `pause clientToLeader 1`. */
  readonly told: ReadonlyArray<string>
  /** A frame waits from now on. */
  hold(frame: HeldFrame): void
  /** So many frames are forwarded by now, and so many connections accepted. */
  reach(count: number): void
  /** Tells those who watch. */
  happen(event: ProxyEvent): void
  /** How many wait for something. */
  waits(): number
}

const noTraffic = { ...noPumpCounts(), buffered: 0, error: null }

/** **Takes** how many connections are active, and how many events have happened */
export const makeFakeProxy = ({ active = 2, events = 3 } = {}): FakeProxy => {
  const told: Array<string> = []
  const tell = (...words: ReadonlyArray<unknown>): void => {
    told.push(words.filter((word) => word !== undefined).join(" "))
  }
  const happened: ReadonlyArray<ProxyEvent> = Array.from({ length: events }, (_, at) => ({
    type: "accepted",
    connection: at + 1,
    at
  }))
  const connections: ReadonlyArray<ConnectionReport> = Array.from({ length: active }, (_, place) => ({
    id: place + 1,
    state: "piping",
    clientToLeader: noTraffic,
    leaderToClient: noTraffic
  }))
  let rules: ReadonlyArray<FaultRule> = []
  let held: ReadonlyArray<HeldFrame> = []
  let reached = 0
  const released = new Set<string>()
  const watchers = new Set<(event: ProxyEvent) => void>()
  const waits = new Set<{ readonly look: () => void; readonly cancel: (error: Error) => void }>()
  const look = (): void => {
    for (const wait of [...waits]) wait.look()
  }
  const until = <A>(find: () => A | null, { signal }: ProxyWait = {}): Promise<A> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => {
        if (waits.delete(wait)) reject(new Cancelled("it was given up"))
      })
      const wait = {
        look() {
          const found = find()
          if (found === null) return
          waits.delete(wait)
          resolve(found)
        },
        cancel: reject
      }
      waits.add(wait)
      wait.look()
    })
  const isActive = (id: number): boolean => id >= 1 && id <= active
  const heldAt = (barrier: string): ReadonlyArray<HeldFrame> =>
    held.filter(({ barriers }) => barriers.includes(barrier))
  const stop = async (): Promise<void> => {
    tell("stop")
    for (const { cancel } of waits) cancel(new Cancelled("the proxy was stopped"))
  }

  const proxy: FaultProxy = {
    address: { kind: "tcp", host: "127.0.0.1", port: 4010 },
    url: "http://127.0.0.1:4010",
    upstream: { kind: "unix", path: "/tmp/up.sock" },
    seed: 7,
    severNow() {
      tell("sever")
      return active
    },
    severConnection(id) {
      tell("sever", id)
      return isActive(id)
    },
    forwarded: (direction) => (direction === "clientToLeader" ? reached : 0),
    connections: () => connections,
    totals: () => ({ accepted: reached, upstreamRefused: 0, active, closed: 0, severed: 0, frameErrors: 0 }),
    pause: (...words) => tell("pause", ...words),
    resume: (...words) => tell("resume", ...words),
    partition: (...words) => tell("partition", ...words),
    heal: (...words) => tell("heal", ...words),
    vanish(id) {
      tell("vanish", id)
      return isActive(id)
    },
    release(barrier) {
      tell("release", barrier)
      released.add(barrier)
      const waiting = heldAt(barrier)
      held = held
        .map((frame) => ({ ...frame, barriers: frame.barriers.filter((other) => other !== barrier) }))
        .filter(({ barriers }) => barriers.length > 0)
      return waiting.length
    },
    isReleased: (barrier) => released.has(barrier),
    held: () => held,
    rules: () => rules,
    setPlan(plan) {
      ;({ rules } = readPlan(plan))
    },
    addRule(source) {
      const rule = readRule(source, { id: `added-${rules.length + 1}` })
      rules = [...rules, rule]
      return rule.id
    },
    removeRule(id) {
      const before = rules.length
      rules = rules.filter((rule) => rule.id !== id)
      return rules.length < before
    },
    waitForForwarded: (_, count, wait) => until(() => (reached >= count ? true : null), wait).then(() => {}),
    waitForConnections: (count, wait) => until(() => (reached >= count ? true : null), wait).then(() => {}),
    waitForHeld: (barrier, wait) => until(() => heldAt(barrier)[0] ?? null, wait),
    events: () => happened,
    watch(see) {
      watchers.add(see)
      return () => watchers.delete(see)
    },
    recording: () => null,
    stop,
    [Symbol.asyncDispose]: stop
  }
  return {
    proxy,
    told,
    hold(frame) {
      held = [...held, frame]
      look()
    },
    reach(count) {
      reached = count
      look()
    },
    waits: () => waits.size,
    happen(event) {
      for (const see of watchers) see(event)
    }
  }
}
