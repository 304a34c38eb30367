import type { Command, History } from "../model/command.ts"
import { knownAnswer } from "../model/script.ts"
import { expectationLabel } from "../observation/labels.ts"
import type { Done, Moment } from "../observation/observations.ts"
import {
  type Answered,
  accountOf,
  bodyOf,
  broken,
  copiesOf,
  type Invariant,
  indexOfPhase,
  isActiveAt,
  type Registered,
  say
} from "./account.ts"
import { allOf, modelAgrees } from "./model-agrees.ts"

/** The pause before each event that requests of a command get. */
export const delayAt = (commands: ReadonlyArray<Done>, command: number): number | null => {
  const last = commands.slice(0, command).findLast((done) => done.command.type === "delay")
  return last?.command.type === "delay" ? last.command.ms : null
}

const framesOf = ({ setup }: History, { script, expectation }: Registered): ReadonlyArray<string> | null => {
  const { body } = knownAnswer(script, expectationLabel(expectation), setup.profile)
  return body.kind === "frames" ? body.frames : null
}

const textAt = (request: Answered, moment: Moment): string =>
  bodyOf({ ...request, pieces: request.pieces.slice(0, moment.pieces[request.exchange] ?? 0) })

/** 16. Before its release no copy sends its last event, ends, or (JSON, raw) sends anything. */
export const noEarlyCompletion: Invariant = allOf((history, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const release = observations.commands.find(({ before }) => before.traceIndex === expectation.releasedIndex)
    const moment = release?.before ?? observations.end.moment
    if (!expectation.barriers.includes("terminal")) continue
    const frames = framesOf(history, expectation)
    for (const copy of copiesOf(expectation).filter(({ askedIndex }) => askedIndex < expectation.releasedIndex)) {
      const hasEnded = moment.ends[copy.exchange] === true && copy.ended?.how === "end"
      const hasBegun = frames === null && moment.heads[copy.exchange] === true
      const hasAll = frames !== null && frames.length > 0 && textAt(copy, moment) === frames.join("")
      if (hasEnded || hasBegun || hasAll)
        broken(`${say.request(copy)} went past the barrier of ${say.expectation(expectation)}`)
    }
  }
}, modelAgrees(16))

/** 17. All events before the last are delivered without any release. */
export const onlyTheEndIsHeld: Invariant = allOf((history, observations) => {
  const { commands } = observations
  for (const expectation of accountOf(observations).expectations) {
    const frames = framesOf(history, expectation)
    if (frames === null || expectation.barriers.join() !== "terminal") continue
    const held = frames.slice(0, -1).join("")
    for (const copy of copiesOf(expectation)) {
      if (delayAt(commands, copy.command) !== null || copy.request.windowBytes !== null) continue
      const isHeldAt = ({ before, isQuiet }: Done): boolean =>
        isQuiet && before.traceIndex <= expectation.releasedIndex && isActiveAt(copy, before.traceIndex)
      const late = commands.find((done) => isHeldAt(done) && textAt(copy, done.before) !== held)
      if (late !== undefined) broken(`${say.request(copy)} had not all of ${JSON.stringify(held)} at ${late.at} ms`)
    }
  }
}, modelAgrees(17))

/** 18. A release changes nothing in its own turn, and after it no copy of the call waits any more. */
export const release: Invariant = allOf((_, observations) => {
  const { commands, expectations } = accountOf(observations)
  for (const { command, before, after } of commands) {
    if (command.type !== "release" && command.type !== "dispose") continue
    if (JSON.stringify(before) !== JSON.stringify({ ...after, traceIndex: before.traceIndex })) {
      broken(`releasing expectation ${command.expectation} changed something in the same turn`)
    }
  }
  for (const expectation of expectations) {
    const opened = commands.findIndex(({ command }) => opensAll(command, expectation.expectation))
    if (opened < 0) continue
    for (const copy of copiesOf(expectation)) {
      if (delayAt(commands, copy.command) !== null || copy.request.windowBytes !== null) continue
      const waiting = commands.find(
        ({ before, isQuiet }, index) => isQuiet && index > opened && isActiveAt(copy, before.traceIndex)
      )
      if (waiting !== undefined) broken(`${say.request(copy)} waits at ${waiting.at} ms, and all was released`)
    }
  }
}, modelAgrees(18))

const opensAll = (command: Command, expectation: number): boolean =>
  (command.type === "dispose" && command.expectation === expectation) ||
  (command.type === "release" && command.expectation === expectation && command.barrier === null)

/** 19. A blocked expectation is not satisfied before its release. */
export const noEarlySatisfaction: Invariant = allOf((_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const satisfied = indexOfPhase(expectation, "Satisfied")
    if (satisfied < expectation.releasedIndex)
      broken(`${say.expectation(expectation)} was satisfied before its release`)
  }
}, modelAgrees(19))
