import { Cancelled } from "../../src/domain/harness-scope-errors.ts"
import { transitionsIn } from "../../src/domain/transition.ts"
import { inside } from "../../src/harness/api/inside.ts"
import { makeScope, type Scope } from "../../src/harness/scope/scope.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"
import type { Behaviour, ScopeCommand, ScopeScene } from "../arbitraries/scope-scenes.ts"
import { makeTurns } from "./settling.ts"

/** Something that a scope took. */
export interface SeenResource {
  readonly name: string
  readonly behaviour: Behaviour
  /** The numbers of its scopes, from the outermost on, and its place in each. */
  readonly path: ReadonlyArray<{ readonly scope: number; readonly place: number }>
  isForgotten: boolean
  /** When it was there; `null` when it never was. */
  gotAt: number | null
  /** When somebody began to give it back, and in which order. */
  readonly releases: Array<{ readonly at: number; readonly order: number }>
  releasedAt: number | null
}

export interface SeenScope {
  readonly number: number
  readonly path: ReadonlyArray<{ readonly scope: number; readonly place: number }>
  readonly scope: Scope
  /** When its closing began, if a command or the end of the body began it. */
  closingAt: number | null
  /** Whether a command closed it. */
  isClosedByHand: boolean
}

/** What came of a scene. */
export interface SeenScene {
  readonly resources: ReadonlyArray<SeenResource>
  readonly scopes: ReadonlyArray<SeenScope>
  /** What the body failed with, as it was thrown. */
  readonly thrown: Error
  /** What the whole failed with; `null` when it did not. */
  readonly failure: unknown
  /** What closes by hand failed with. */
  readonly closeFailures: ReadonlyArray<unknown>
  readonly told: ReadonlyArray<string>
  /** When the body came to its end by itself. */
  readonly bodyEndedAt: number
  /** When everything was closed; NaN when it never was. */
  readonly endedAt: number
  /** Timers and actors that are left. */
  readonly left: number
  readonly transitions: ReadonlyArray<unknown>
}

interface HeldByBody extends SeenResource {
  forget: (() => void) | null
}

/** Long enough for a chain of scopes that close one after another without time passing. */
const turnsMax = 400

const turns = makeTurns(turnsMax)

/** Plays a scene in virtual time. @since 0.1.0 @category running */
export const playScopes = async (scene: ScopeScene): Promise<SeenScene> => {
  const clock = makeVirtualClock()
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const root = makeScope({ supervisor, check: async () => [] }, "root")
  const scopes: Array<SeenScope> = [{ number: 0, path: [], scope: root, closingAt: null, isClosedByHand: false }]
  const resources: Array<HeldByBody> = []
  const closeFailures: Array<unknown> = []
  const places = new Map<number, number>()
  let releases = 0

  const pass = (ms: number): Promise<void> => new Promise((resolve) => void clock.arm(ms, "scene", resolve))
  const placeIn = ({ number, path }: SeenScope): SeenScope["path"] => {
    const place = (places.get(number) ?? 0) + 1
    places.set(number, place)
    return [...path, { scope: number, place }]
  }
  const take = (scope: SeenScope, behaviour: Behaviour): HeldByBody => {
    const name = `r${resources.length}.`
    const path = placeIn(scope)
    const resource = { name, behaviour, path, isForgotten: false, gotAt: null, releases: [], releasedAt: null }
    return { ...resource, forget: null }
  }
  const release = (resource: SeenResource): Promise<void> => {
    const { releaseMs, releaseEnds } = resource.behaviour
    resource.releases.push({ at: clock.now(), order: releases++ })
    if (releaseEnds === "throws") throw new Error("is broken")
    return new Promise((resolve, reject) => {
      const end = (): void => {
        resource.releasedAt = clock.now()
        if (releaseEnds === "badly") reject(new Error("is busy"))
        else resolve()
      }
      if (releaseMs === 0) end()
      else if (releaseMs !== null) clock.arm(releaseMs, "release", end)
    })
  }
  const acquire = async (seen: SeenScope, { behaviour }: { readonly behaviour: Behaviour }): Promise<void> => {
    if (!seen.scope.isOpen()) return
    const resource = take(seen, behaviour)
    resources.push(resource)
    const { startMs, startFails } = behaviour
    const acquiring = seen.scope.acquire(resource.name, {
      start: async () => {
        if (startMs > 0) await pass(startMs)
        if (startFails) throw new Error("did not start")
        resource.gotAt = clock.now()
        return resource
      },
      release,
      boundMs: behaviour.boundMs
    })
    const held = await acquiring.catch(() => null)
    if (held !== null) resource.forget = held.forget
  }
  /** Gives what the body waits for, if it waits at all: the next command comes in the same turn otherwise. */
  const perform = (command: ScopeCommand): Promise<void> | undefined => {
    if (command.kind === "pass") return pass(command.ms)
    if (command.kind === "forget") {
      const resource = resources[command.resource % Math.max(1, resources.length)]
      // Only what the body has, and whose end has not begun.
      if (resource === undefined || resource.forget === null || resource.releases.length > 0) return undefined
      const scope = scopes[resource.path.at(-1)?.scope ?? 0]
      if (scope?.scope.isOpen() !== true) return undefined
      resource.forget()
      resource.isForgotten = true
      return undefined
    }
    const seen = scopes[command.scope % scopes.length] ?? scopes[0]
    if (seen === undefined || !seen.scope.isOpen()) return undefined
    if (command.kind === "open") {
      const path = placeIn(seen)
      const number = scopes.length
      const scope = seen.scope.open(`s${number}`)
      scopes.push({ number, path, scope, closingAt: null, isClosedByHand: false })
    } else if (command.kind === "close") {
      if (seen.number === 0) return undefined
      seen.closingAt = clock.now()
      seen.isClosedByHand = true
      const closing = seen.scope.close().catch((error: unknown) => void closeFailures.push(error))
      if (command.awaits) return closing
    } else if (command.kind === "acquire") {
      const acquiring = acquire(seen, command)
      if (command.awaits) return acquiring
    } else {
      const resource = take(seen, command.behaviour)
      resources.push(resource)
      resource.gotAt = clock.now()
      const { boundMs } = command.behaviour
      resource.forget = seen.scope.defer(resource.name, () => release(resource), { boundMs })
    }
    return undefined
  }

  const thrown = new Error("the body's own")
  const abort = new AbortController()
  if (scene.ending === "is interrupted") clock.arm(scene.interruptedAtMs, "interruption", () => abort.abort())
  const told: Array<string> = []
  let bodyEndedAt = Number.POSITIVE_INFINITY
  const ends: Array<{ readonly at: number; readonly failure: unknown }> = []
  const close = (): Promise<void> => {
    for (const seen of scopes) seen.closingAt ??= clock.now()
    return root.close()
  }
  const surroundings = {
    close,
    transitions: () => [],
    tell: (line: string) => void told.push(line),
    signal: abort.signal
  }
  inside(surroundings, async () => {
    for (const command of scene.commands) {
      const waiting = perform(command)
      if (waiting !== undefined) await waiting
    }
    bodyEndedAt = clock.now()
    if (scene.ending === "throws") throw thrown
  }).then(
    () => ends.push({ at: clock.now(), failure: null }),
    (failure: unknown) => ends.push({ at: clock.now(), failure })
  )
  await turns()
  while (clock.step()) await turns()
  const [end] = ends
  return {
    resources,
    scopes,
    thrown,
    failure: end?.failure ?? null,
    closeFailures,
    told,
    bodyEndedAt,
    endedAt: end?.at ?? Number.NaN,
    left: clock.armed() + supervisor.alive(),
    transitions: transitionsIn(trace.events())
  }
}

/** Whether a scene was cut short. */
export const wasInterrupted = ({ failure }: SeenScene): boolean => failure instanceof Cancelled
