import { failureDetails } from "../../src/domain/failure-details.ts"
import { CleanupFailed } from "../../src/domain/harness-scope-errors.ts"
import type { ScopeScene } from "../arbitraries/scope-scenes.ts"
import { type SeenResource, type SeenScene, wasInterrupted } from "../observation/scope-stage.ts"

/* What holds of the end of scopes, whatever is in them. Each gives one line for what broke it. Source: agent-harness.md, S1. */

/** What was got is given back once, what was not got or was given back before never is. */
export const wrongCounts = ({ resources }: SeenScene): ReadonlyArray<string> =>
  resources.flatMap((resource) => {
    const { name, isForgotten, gotAt, releases } = resource
    const wanted = gotAt === null || isForgotten ? 0 : 1
    return releases.length === wanted ? [] : [`${name} was given back ${releases.length} times instead of ${wanted}`]
  })

/** What was there when the end began is given back before what was registered earlier: in its scope, and in those around it. */
export const wrongOrders = (scene: SeenScene): ReadonlyArray<string> =>
  pairs(scene.resources).flatMap(([one, other]) => {
    const place = meeting(scene, one, other)
    if (place === null) return []
    const [newer, older] = place > 0 ? [one, other] : [other, one]
    const [first, second] = [newer.releases[0], older.releases[0]]
    if (first === undefined || second === undefined || first.order < second.order) return []
    return [`${older.name} was given back before ${newer.name}`]
  })

/** One that is being given back is waited for, until its bound. */
export const overlaps = (scene: SeenScene): ReadonlyArray<string> =>
  pairs(scene.resources).flatMap(([one, other]) => {
    if (meeting(scene, one, other) === null) return []
    const [first, second] = [one, other].sort((a, b) => (a.releases[0]?.order ?? 0) - (b.releases[0]?.order ?? 0))
    const [begun, next] = [first?.releases[0]?.at, second?.releases[0]?.at]
    if (first === undefined || begun === undefined || next === undefined) return []
    const until = Math.min(first.releasedAt ?? begunOrThrown(first, begun), begun + first.behaviour.boundMs)
    return next >= until ? [] : [`${second?.name} was given back while ${first.name} was: ${next} is before ${until}`]
  })

const begunOrThrown = ({ behaviour }: SeenResource, begun: number): number =>
  behaviour.releaseEnds === "throws" ? begun : Number.POSITIVE_INFINITY

/** Who went wrong is named, where somebody hears of it, and nobody else is. */
export const wrongNames = (scene: SeenScene): ReadonlyArray<string> => {
  const { failure, closeFailures } = scene
  const told = [failure, failureDetails(failure)?.cleanup, ...closeFailures]
  const text = told.map((one) => (one instanceof CleanupFailed ? one.message : "")).join("\n")
  return scene.resources.flatMap((resource) => {
    const wanted = goesWrong(scene, resource)
    if (wanted === "either" || text.includes(resource.name) === wanted) return []
    return [`${resource.name} is ${wanted ? "not " : ""}named: ${text}`]
  })
}

const goesWrong = (scene: SeenScene, { behaviour, gotAt, isForgotten, path }: SeenResource): boolean | "either" => {
  const { releaseMs, releaseEnds, boundMs } = behaviour
  // What was still on its way may have come too late.
  const closingAt = scene.scopes[path.at(-1)?.scope ?? 0]?.closingAt ?? 0
  if (gotAt === null || gotAt > closingAt) return "either"
  if (isForgotten) return false
  return releaseEnds !== "well" || releaseMs === null || releaseMs > boundMs
}

/** What the body failed with stays first; what follows is kept with it, and said. */
export const wrongFailures = (scene: SeenScene, { ending, interruptedAtMs }: ScopeScene): ReadonlyArray<string> => {
  const { failure, thrown, told, endedAt } = scene
  if (Number.isNaN(endedAt)) return ["it never ended"]
  if (ending === "throws" && failure !== thrown)
    return [`it failed with ${String(failure)} instead of what the body threw`]
  if (ending === "returns" && failure !== null && !(failure instanceof CleanupFailed))
    return [`it failed with ${String(failure)}`]
  if (ending === "is interrupted" && scene.bodyEndedAt > interruptedAtMs && !wasInterrupted(scene))
    return [`it was not interrupted, and failed with ${String(failure)}`]
  const isPrimary = failure === thrown || wasInterrupted(scene)
  const cleanup = failureDetails(failure)?.cleanup ?? null
  if (isPrimary && (cleanup === null) !== (told.length === 0))
    return [`said ${told.length} lines of ${String(cleanup)}`]
  return []
}

/** The bounds of everything come to so much at most. */
export const wrongEnds = ({ resources, left, endedAt }: SeenScene): ReadonlyArray<string> => [
  ...(left === 0 ? [] : [`${left} timers and actors are left`]),
  ...(endedAt <= latest(resources) ? [] : [`it ended at ${endedAt}, after ${latest(resources)}`])
]

const commandsMsMax = 14 * 111

const latest = (resources: ReadonlyArray<SeenResource>): number =>
  resources.reduce((sum, { behaviour }) => sum + behaviour.boundMs, commandsMsMax)

const pairs = <A>(items: ReadonlyArray<A>): ReadonlyArray<readonly [A, A]> =>
  items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const))

/**
 * How the places of two resources compare in the scope where their ways part: above 0 when the first is newer. `null` when nothing
 * follows from that: one was not there when the end began, or an inner scope was closed by hand.
 */
const meeting = (scene: SeenScene, one: SeenResource, other: SeenResource): number | null => {
  if (![one, other].every((resource) => wasThere(scene, resource))) return null
  const depth = one.path.findIndex(({ place }, index) => place !== other.path[index]?.place)
  const [mine, theirs] = [one.path[depth], other.path[depth]]
  if (mine === undefined || theirs === undefined || mine.scope !== theirs.scope) return null
  const inner = [...one.path.slice(depth + 1), ...other.path.slice(depth + 1)]
  if (inner.some(({ scope }) => scene.scopes[scope]?.isClosedByHand !== false)) return null
  return mine.place - theirs.place
}

const wasThere = ({ scopes }: SeenScene, { path, gotAt, isForgotten, releases }: SeenResource): boolean => {
  const closingAt = scopes[path.at(-1)?.scope ?? 0]?.closingAt ?? 0
  return gotAt !== null && gotAt <= closingAt && !isForgotten && releases.length === 1
}
