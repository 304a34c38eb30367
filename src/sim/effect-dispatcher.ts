import type { Scheduler } from "effect"

/** Plans a task among all that may happen next; the function it gives forgets it. */
export type PlanTask = (task: () => void) => () => void

interface Task {
  readonly run: () => void
  readonly priority: number
  /** Tasks that must run before it and have not yet. */
  waitsFor: number
  /** Tasks that wait for it. */
  readonly behind: Array<Task>
  forget: () => void
}

const nothing = (): void => {}

/**
 * Tasks of Effect as operations of a simulated run: which of them runs next is drawn. A task waits for those of a lower number
 * that were there before it, as in Effect.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffectDispatcher = (plan: PlanTask): Scheduler.SchedulerDispatcher => {
  const pending = new Set<Task>()
  // Nearly always there is one priority, and nobody waits.
  const counts = new Map<number, number>()

  const leave = (task: Task): void => {
    pending.delete(task)
    const count = (counts.get(task.priority) ?? 1) - 1
    if (count === 0) counts.delete(task.priority)
    else counts.set(task.priority, count)
    for (const other of task.behind) if (--other.waitsFor === 0) ready(other)
  }
  const ready = (task: Task): void => {
    task.forget = plan(() => {
      leave(task)
      task.run()
    })
  }
  const isFirst = (priority: number): boolean => counts.size === 0 || (counts.size === 1 && counts.has(priority))

  return {
    scheduleTask(run, priority) {
      const task: Task = { run, priority, waitsFor: 0, behind: [], forget: nothing }
      if (!isFirst(priority)) {
        for (const other of pending) {
          if (other.priority >= priority) continue
          other.behind.push(task)
          task.waitsFor++
        }
      }
      pending.add(task)
      counts.set(priority, (counts.get(priority) ?? 0) + 1)
      if (task.waitsFor === 0) ready(task)
    },
    flush() {
      // What its tasks plan is run too: the set goes on.
      for (const task of pending) {
        task.forget()
        leave(task)
        task.run()
      }
    }
  }
}
