import { harnessScopeMachine } from "../../../machines/harness-scope.machine.ts"
import { WaitTimeout } from "../../domain/harness-errors.ts"
import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"

/** Something that a scope gives back when it closes. */
export interface HeldResource {
  readonly number: number
  readonly name: string
  /** `null` for a scope, which has the bounds of what is in it. */
  readonly boundMs: number | null
  readonly release: () => Promise<void>
}

/** What a scope has. */
export interface ScopeData {
  readonly supervisor: Supervisor
  /** Oldest first. What is being given back is not in it any more. */
  readonly held: Map<number, HeldResource>
  /** What is being given back. */
  releasing: HeldResource | null
  /** What went wrong, each with the name of its resource. */
  readonly problems: Array<Error>
  /** Looks for what is left when all was given back. */
  readonly check: () => Promise<ReadonlyArray<Error>>
  readonly closed: () => void
}

export type ScopeActor = Actor<typeof harnessScopeMachine, ScopeData>

/** Scopes guard against hanging: their bounds run where time passes by itself. */
export const scopeKind = actorKind<typeof harnessScopeMachine, ScopeData>(
  compileChart(harnessScopeMachine),
  {
    pick(_, scope) {
      const { supervisor, held } = scope.data
      const next = [...held.values()].at(-1)
      if (next === undefined) supervisor.deliver(scope, { type: "none.left" })
      else if (next.boundMs === null) supervisor.deliver(scope, { type: "scope.next", number: next.number })
      else supervisor.deliver(scope, { type: "resource.next", number: next.number, boundMs: next.boundMs })
    },
    release({ number }, scope) {
      const resource = scope.data.held.get(number)
      if (resource === undefined) throw new Error(`there is no resource ${number} to give back`)
      scope.data.held.delete(number)
      scope.data.releasing = resource
      void released(scope, resource)
    },
    giveUp({ boundMs }, { data }) {
      if (data.releasing !== null) data.problems.push(named(data.releasing.name, lateRelease(boundMs)))
      data.releasing = null
    },
    check(_, scope) {
      const { supervisor, problems, check } = scope.data
      check()
        .catch((error: unknown) => [errorOf(error)])
        .then((found) => {
          problems.push(...found)
          supervisor.deliver(scope, { type: "check.over" })
        })
    },
    tellClosed: (_, { data }) => data.closed()
  },
  { isGuard: true }
)

/** One that was given up has been told of already. */
const released = async (scope: ScopeActor, resource: HeldResource): Promise<void> => {
  const { data } = scope
  const problem = await problemOf(resource)
  if (data.releasing !== resource) return
  data.releasing = null
  if (problem !== null) data.problems.push(...namedParts(resource, problem))
  data.supervisor.deliver(scope, { type: "released", number: resource.number })
}

const problemOf = async ({ release }: HeldResource): Promise<Error | null> => {
  try {
    await release()
    return null
  } catch (error) {
    return errorOf(error)
  }
}

/** The parts of an inner scope have names already. */
const namedParts = ({ name, boundMs }: HeldResource, problem: Error): ReadonlyArray<Error> =>
  boundMs === null && problem instanceof CleanupFailed
    ? problem.parts.map((part) => named(name, part))
    : [named(name, problem)]

const named = (name: string, cause: Error): Error => new Error(`${name}: ${cause.message}`, { cause })

const lateRelease = (boundMs: number): WaitTimeout =>
  new WaitTimeout("its release", { ms: boundMs, report: `was not given back within ${boundMs} ms` })

export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
