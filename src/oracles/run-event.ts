import type { TraceEvent } from "../domain/trace-event.ts"

/**
 * What is seen of a run on the side of its clients and of its test. `call` names a call of its actor; `attempt` counts from 1;
 * times that are part of a fact are in milliseconds.
 *
 * **Source** simulation.md, section 5.8
 *
 * @since 0.1.0
 * @category traces
 */
export type RunFact =
  | { readonly type: "call.started"; readonly call: string }
  /** The program asked for an end. */
  | { readonly type: "call.aborted"; readonly call: string }
  /** The program has its answer or its error. */
  | { readonly type: "call.settled"; readonly call: string; readonly as: "completed" | "failed" }
  | {
      readonly type: "attempt.sent"
      readonly call: string
      readonly attempt: number
      /** What is asked, where that is known: attempts of a call that ask the same are tries of one thing. */
      readonly asks?: string
      /** The server that is asked, as `host:port`: what one server asks its clients to wait for is no matter of another. */
      readonly to?: string
    }
  | {
      /**
       * The attempt is this request of the server. Equal fingerprints are one call; `null` is no identity; without one nobody
       * knows.
       */
      readonly type: "attempt.arrived"
      readonly call: string
      readonly attempt: number
      readonly request: number
      readonly fingerprint?: string | null
    }
  | {
      /** A head came. `retryAfterMs` is what its headers ask for, from now. */
      readonly type: "attempt.answered"
      readonly call: string
      readonly attempt: number
      readonly status: number
      readonly isStream: boolean
      readonly retryAfterMs: number | null
    }
  | {
      /** The attempt asks for what follows the event at this position; -1 asks for all. */
      readonly type: "stream.resumed"
      readonly call: string
      readonly attempt: number
      readonly after: number
    }
  | {
      /**
       * `position` is its place in the full stream, from 0, where the stream says so. Behind the terminal one nothing is said that
       * matters; of chat that is the chunk with the reason to stop.
       */
      readonly type: "stream.event"
      readonly call: string
      readonly attempt: number
      readonly position: number | null
      readonly text: string
      readonly isTerminal: boolean
    }
  | {
      /** The body is over: as HTTP has it, cut, or left by its client. `body` is its text or a digest of it. */
      readonly type: "answer.ended"
      readonly call: string
      readonly attempt: number
      readonly how: "end" | "cut" | "left"
      readonly body: string
    }
  /** All events that a call's stream has, for those that may be resumed. */
  | { readonly type: "stream.full"; readonly call: string; readonly texts: ReadonlyArray<string> }
  | {
      readonly type: "tool.executed"
      readonly call: string
      readonly tool: string
      /** Which code asked for it, as `FILE:LINE:COLUMN`; known in the run that a failure is told with. */
      readonly place?: string
    }
  | { readonly type: "tool.settled"; readonly call: string; readonly tool: string }
  /** Comes after the expectation's registration. */
  | { readonly type: "barrier.closed"; readonly expectation: string; readonly barrier: string }
  /** `null` opens all barriers of the expectation. */
  | { readonly type: "barrier.released"; readonly expectation: string; readonly barrier: string | null }
  /** The actor waits at an arrival barrier until so many `parties` are there. Each gathering has a name of its own. */
  | { readonly type: "party.arrived"; readonly barrier: string; readonly parties: number }
  | { readonly type: "party.passed"; readonly barrier: string }
  /** The actor gave its place up, or crashed. */
  | { readonly type: "party.left"; readonly barrier: string }
  | {
      readonly type: "resource.opened"
      readonly kind: string
      readonly resource: string
      /** The moment at which it was opened. Default: that of the fact. */
      readonly since?: number
      /** File, line and column. */
      readonly madeAt?: string
    }
  | { readonly type: "resource.closed"; readonly kind: string; readonly resource: string }
  /** The actor does nothing until `waitsFor` (an actor, or any other name) has moved. */
  | { readonly type: "wait.began"; readonly waitsFor: string }
  | { readonly type: "wait.ended" }
  /** Whatever a law of the test's own wants to know. */
  | { readonly type: "told"; readonly what: string; readonly value?: unknown }
  /** From now on the world is kind: its network has no faults either. */
  | { readonly type: "faults.stopped" }
  /** Nothing is planned any more: what has not happened never will. A run that was cut short has no such end. */
  | { readonly type: "run.ended" }

/** A fact with who it is about and its virtual time in milliseconds. */
export type RunEvent = RunFact & { readonly actor: string; readonly at: number }

/** All that oracles see: the server's trace and the events of its run, merged in the order in which they happened. */
export type SeenEvent = TraceEvent | RunEvent

/** How one speaks of a call; two actors may use one name for theirs. */
export const callName = ({ actor, call }: { readonly actor: string; readonly call: string }): string =>
  `${actor}/${call}`

export const attemptName = (event: {
  readonly actor: string
  readonly call: string
  readonly attempt: number
}): string => `attempt ${event.attempt} of ${callName(event)}`

export const requestName = (request: number): string => `request ${request}`
