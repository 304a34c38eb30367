import type { SeenEvent } from "./run-event.ts"

/** What is wrong, in words. `shape` has neither names nor numbers, so that it is the same in every schedule. */
export interface Breach {
  readonly shape: string
  readonly message: string
}

/**
 * Something that has to happen and has not. `who` and `waitsFor` are names; where one wait's `waitsFor` is the `who` of another,
 * reports follow it.
 */
export interface Hot {
  /** What it means when it never happens, without names and numbers: `a call has not settled`. */
  readonly what: string
  readonly who: string
  readonly waitsFor: string
  readonly since: number
  /** Milliseconds after `since`; it may still happen at that moment. Without it only the end of the run is too late. */
  readonly deadlineMs?: number
}

/**
 * A property of runs, judged at every event. It is *hot* while it waits for something. `on` may change the state that it is
 * given and give it back.
 *
 * **Source** simulation.md, sections 5.2 and 5.8
 *
 * @since 0.1.0
 * @category models
 */
export interface Monitor<S> {
  readonly name: string
  init(): S
  on(event: SeenEvent, state: S): S
  /** All that is hot. */
  hot?(state: S): ReadonlyArray<Hot>
  /** What is broken; of a plain text the shape is made by leaving names and numbers out. */
  fail?(state: S): Breach | string | undefined
}

/** A monitor whose state is nobody's business. */
export type Oracle = Monitor<unknown>

/** A state of a monitor that keeps what it found first. */
export interface Judged {
  breach: Breach | undefined
}

/** Notes a breach; the first one counts. */
export const breach = (state: Judged, shape: string, message: string): void => {
  state.breach ??= { shape, message }
}

/** What a monitor with a judged state answers. */
export const firstBreach = (state: Judged): Breach | undefined => state.breach
