import type { History } from "../model/command.ts"
import type { Done, Observations } from "../observation/observations.ts"
import {
  type Account,
  type Answered,
  accountOf,
  copiesOf,
  isActiveAt,
  isComplete,
  liveBefore,
  type Registered
} from "./account.ts"

/** Whether something happened in a run. */
type Sight = (account: Account, observations: Observations, history: History) => boolean

const isReplay = ({ source }: Answered): boolean => source === "replay"

/** Some replay joined a call in which only such copies were active. */
const joined =
  (isSo: (active: ReadonlyArray<Answered>, expectation: Registered) => boolean): Sight =>
  (account) =>
    account.requests.filter(isReplay).some((replay) => {
      const live = liveBefore(account, replay)
      if (live === undefined) return false
      return isSo(
        copiesOf(live).filter((copy) => copy !== replay && isActiveAt(copy, replay.askedIndex)),
        live
      )
    })

const answeredBy =
  (source: Answered["source"]): Sight =>
  ({ requests }) =>
    requests.some((request) => request.source === source)

const ended =
  (phase: string, isSo: (expectation: Registered) => boolean): Sight =>
  ({ expectations }) =>
    expectations.some((expectation) => expectation.phase === phase && isSo(expectation))

/** A client left a copy in this state. */
const left =
  (isSo: (request: Answered, done: Done) => boolean): Sight =>
  ({ requests, commands }) =>
    commands.some((done) => {
      const { command, before } = done
      if (command.type !== "disconnect" || before.ends[command.exchange] !== false) return false
      const request = requests.find(({ exchange }) => exchange === command.exchange)
      return request !== undefined && request.askedIndex < before.traceIndex && isSo(request, done)
    })

const textOf = ({ pieces }: Answered): ReadonlyArray<string> => pieces.map(({ text }) => text)

/** The gate changed this way while a stream that it concerns was running. */
const gateChanged =
  (type: "hold" | "open"): Sight =>
  ({ requests, commands }) =>
    commands.some(({ command, before, step }) => {
      if (command.type !== type || step === null) return false
      return requests.some(
        (request) =>
          request.kind === "foreground" &&
          request.expectation === null &&
          isActiveAt(request, before.traceIndex) &&
          request.settled?.as === "crossed"
      )
    })

/**
 * What histories must come to now and then, by name; a generator that reaches none of some kind proves nothing there.
 *
 * @since 0.1.0
 * @category models
 */
export const sights = {
  "a replay": answeredBy("replay"),
  "a scripted answer from a queue": answeredBy("queue"),
  "a refusal for want of a key": answeredBy("unauthorized"),
  "an agent turn": answeredBy("turn"),
  "a replay while the primary runs": joined((active) => active.some((copy) => !isReplay(copy))),
  "a replay of a call that only replays keep alive": joined((active) => active.every(isReplay)),
  "a replay after the primary was cancelled": joined((active, { primaries }) =>
    primaries.every((primary) => primary.settled?.as === "cancelled" && !active.includes(primary))
  ),
  "a third copy of a call": ({ expectations }) => expectations.some(({ replays }) => replays.length >= 2),
  "a call abandoned while nobody else was in it": ended("Abandoned", ({ replays }) => replays.length === 0),
  "a call abandoned after a replay": ended("Abandoned", ({ replays }) => replays.length > 0),
  "a call satisfied after a replay": ended("Satisfied", ({ primaries, replays }) =>
    replays.some(({ settled }) => (settled?.index ?? 0) > (primaries[0]?.settled?.index ?? 0))
  ),
  "a retired expectation": ended("Retired", () => true),
  "a name that was taken": (_, { commands }) =>
    commands.some(({ command, error }) => command.type === "register" && error !== null),
  "a name that became free": ({ expectations }) =>
    expectations.some((one) => expectations.some((other) => other !== one && other.name === one.name)),
  "a release before the claim": ({ expectations, commands }) =>
    expectations.some(({ releasedIndex, primaries: [primary] }) => {
      const isAsked = primary !== undefined && commands[primary.command]?.step !== null
      return isAsked && releasedIndex >= 0 && releasedIndex < primary.askedIndex
    }),
  "a client that left at a barrier": left(({ expectation }, { isQuiet }) => expectation !== null && isQuiet),
  "a client that left after the crossing": left(
    ({ settled }, { before }) => settled?.as === "crossed" && settled.index < before.traceIndex
  ),
  "a client that left a replay": left(isReplay),
  "the gate held while a stream runs": gateChanged("hold"),
  "the gate opened while a stream waits": gateChanged("open"),
  "a stream paced over time": ({ requests }) =>
    requests.some(({ pieces, at }) => pieces.length > 2 && (pieces.at(-1)?.at ?? 0) > at),
  "a slow reader that was waited for": ({ requests, commands }) =>
    commands.some(({ command, before }) => {
      if (command.type !== "read" || before.ends[command.exchange] !== false) return false
      return requests.some(({ exchange, request }) => exchange === command.exchange && request.windowBytes !== null)
    }),
  "a comment in a silent stream": ({ requests }) => requests.some((request) => textOf(request).includes(":\n\n")),
  "a barrier inside a stream": ({ expectations }) =>
    expectations.some(
      ({ barriers, primaries }) => primaries.length > 0 && barriers.some((at) => typeof at === "number")
    ),
  "a claim without identity": ({ requests }) =>
    requests.some(({ source, fingerprint }) => source === "expectation" && fingerprint === null),
  "an answer without a body": ({ requests }) =>
    requests.some((request) => request.status === 204 && isComplete(request)),
  "a log that dropped entries": (_, { commands }) =>
    commands.some(({ kept, after }) => kept !== null && kept.length > 0 && kept.length < after.requestCount),
  "two commands in one millisecond, in a drawn order": (_, { commands }, { choices }) =>
    choices !== null && commands.some(({ step }, index) => step !== null && step < (commands[index - 1]?.step ?? -1)),
  "a server closed over answers that it cut": (_, { end }) => end.blocked.length > 0,
  "a server closed over answers that it let finish": ({ requests, commands }) => {
    const close = commands.find(({ command, step }) => command.type === "close" && step !== null)
    const index = close?.before.traceIndex ?? Number.POSITIVE_INFINITY
    return requests.some((request) => isActiveAt(request, index) && request.askedIndex < index && isComplete(request))
  }
} as const satisfies Record<string, Sight>

/** @since 0.1.0 @category models */
export type SightName = keyof typeof sights

/** What a run came to. */
export const reached = (history: History, observations: Observations): ReadonlyArray<SightName> => {
  const account = accountOf(observations)
  const names = Object.entries(sights)
    .filter(([, sight]) => sight(account, observations, history))
    .map(([name]) => name)
  return names.filter(isSightName)
}

const isSightName = (name: string): name is SightName => Object.hasOwn(sights, name)
