import type { AnyStateMachine, EventFrom, InputFrom } from "xstate"
import type { Clock } from "../kernel/clock.ts"
import type { Trace } from "../kernel/trace.ts"
import type { Chart, Performer, Snapshot, Step } from "./chart.ts"
import { type ChartEvent, type DelayedRaise, isCancel, isDelayedRaise } from "./chart-step.ts"

/**
 * A chart instance under a supervisor. `data` is what its performers work with; the chart never sees it.
 *
 * @since 0.1.0
 * @category supervisor
 */
export interface Actor<M extends AnyStateMachine, D> {
  /** Running number under its supervisor, from 1. */
  readonly id: number
  readonly kind: ActorKind<M, D>
  readonly data: D
  snapshot: Snapshot<M>
  timers: Map<string, () => void> | null
}

/** A compiled chart and what performs its actions; one serves all actors of the kind. */
export interface ActorKind<M extends AnyStateMachine, D> {
  readonly chart: Chart<M>
  readonly performers: ReadonlyMap<string, (params: unknown, self: Actor<M, D>) => void>
  /** Its delays are guards against hanging: they run on the real clock also where a test holds the other one. */
  readonly isGuard: boolean
}

/** @since 0.1.0 @category constructors */
export const actorKind = <M extends AnyStateMachine, D>(
  chart: Chart<M>,
  performer: Performer<M, Actor<M, D>>,
  options: { readonly isGuard?: boolean } = {}
): ActorKind<M, D> => ({
  chart,
  performers: new Map(Object.entries(performer)),
  isGuard: options.isGuard ?? false
})

/**
 * Runs charts: takes one event from one mailbox, steps the actor, performs the actions in order, repeats. Never
 * re-entered: what performers send waits behind the present step. Needs no scheduler and no fiber.
 *
 * **Source** DESIGN, section 3; house-style.md, section 6
 *
 * @since 0.1.0
 * @category supervisor
 */
export interface Supervisor {
  /** Starts an actor. Its first snapshot is there at once; its first actions are performed in a step of their own. */
  spawn<M extends AnyStateMachine, D>(kind: ActorKind<M, D>, input: InputFrom<M>, data: D): Actor<M, D>
  /** Puts an event into the mailbox. */
  deliver<M extends AnyStateMachine, D>(actor: Actor<M, D>, event: EventFrom<M>): void
  /** Steps the actor now, as part of the step or task that is running. */
  apply<M extends AnyStateMachine, D>(actor: Actor<M, D>, event: EventFrom<M>): void
  /** Runs a task as one step of the mailbox: at once when nothing is running, else after what waits. */
  run(task: () => void): void
  /** Runs a task in a step of its own, when the caller has returned; no virtual time passes. */
  postpone(label: string, task: () => void): void
  /** Actors that have not reached a final state. */
  alive(): number
}

/** @since 0.1.0 @category constructors */
export const makeSupervisor = (kernel: {
  readonly clock: Clock
  readonly trace: Trace
  /** The clock of guards against hanging, where it is another one. */
  readonly guardClock?: Clock
}): Supervisor => {
  const { clock, trace, guardClock = clock } = kernel
  const mailbox: Array<() => void> = []
  let next = 0
  let running = false
  let spawned = 0
  let alive = 0

  const run = (task: () => void): void => {
    mailbox.push(task)
    if (running) return
    running = true
    try {
      while (next < mailbox.length) {
        const step = mailbox[next++]
        if (step !== undefined) step()
        if (next === mailbox.length) {
          mailbox.length = 0
          next = 0
        }
      }
    } finally {
      // A performer that throws is a bug of ours: it surfaces, and what waits is still taken with the next event.
      mailbox.splice(0, next)
      next = 0
      running = false
    }
  }

  const perform = <M extends AnyStateMachine, D>(actor: Actor<M, D>, step: Step<M>): void => {
    for (const action of step.actions) {
      if (isDelayedRaise(action)) arm(actor, action.params)
      else if (isCancel(action)) disarm(actor, action.params.sendId)
      else actor.kind.performers.get(action.type)?.(action.params, actor)
    }
  }

  const arm = <M extends AnyStateMachine, D>(actor: Actor<M, D>, params: DelayedRaise["params"]): void => {
    const { event, id, delay } = params
    actor.timers ??= new Map()
    actor.timers.get(id)?.()
    const fire = (): void => {
      actor.timers?.delete(id)
      run(() => apply(actor, event))
    }
    const source = actor.kind.isGuard ? guardClock : clock
    actor.timers.set(id, source.arm(delay, event.type, fire))
  }

  const apply = <M extends AnyStateMachine, D>(actor: Actor<M, D>, event: ChartEvent): void => {
    const { chart } = actor.kind
    const wasDone = actor.snapshot.status === "done"
    const step = chart.step(actor.snapshot, event)
    actor.snapshot = step.snapshot
    trace.record({
      type: "step",
      actor: actor.id,
      chart: chart.id,
      event: event.type,
      state: step.snapshot.state,
      handled: step.handled
    })
    perform(actor, step)
    if (!wasDone && step.snapshot.status === "done") retire(actor)
  }

  const retire = <M extends AnyStateMachine, D>(actor: Actor<M, D>): void => {
    alive--
    for (const forget of actor.timers?.values() ?? []) forget()
    actor.timers = null
  }

  return {
    spawn(kind, input, data) {
      const step = kind.chart.start(input)
      const actor = { id: ++spawned, kind, data, snapshot: step.snapshot, timers: null }
      alive++
      run(() => {
        perform(actor, step)
        if (step.snapshot.status === "done") retire(actor)
      })
      return actor
    },
    deliver: (actor, event) => run(() => apply(actor, event)),
    apply,
    run,
    postpone(label, task) {
      clock.arm(0, label, () => run(task))
    },
    alive: () => alive
  }
}

const disarm = <M extends AnyStateMachine, D>(actor: Actor<M, D>, id: string): void => {
  actor.timers?.get(id)?.()
  actor.timers?.delete(id)
}
