import fc from "fast-check"
import type { Command, History, Setup, Step } from "../model/command.ts"
import { historyLines } from "../model/readable.ts"
import { mistake } from "./commands.ts"
import type { Past } from "./draft.ts"
import { type Scene, scene } from "./scenes.ts"
import { weighted } from "./weighted.ts"

const scenesMax = 20

/** In the same turn, after all is done, or later: odd moments too, so that events of the server are met and missed. */
const after: fc.Arbitrary<Step["after"]> = weighted<Step["after"]>(
  [10, 0],
  [8, "turn"],
  [2, 10],
  [1, 1],
  [2, 3],
  [2, 5],
  [1, 7],
  [1, 93],
  [1, 100],
  [1, 4_999],
  [1, 14_999],
  [1, 15_000],
  [1, 15_001]
)

const setup: fc.Arbitrary<Setup> = fc.record({
  profile: fc.constantFrom<Setup["profile"]>("compact", "full"),
  requiresKey: weighted([3, false], [1, true]),
  logEntriesMax: fc.constantFrom(1024, 3)
})

const scenesOf = (scene: fc.Arbitrary<Scene>): fc.Arbitrary<ReadonlyArray<Timed>> =>
  fc.array(fc.record({ after, scene, within: after }), { maxLength: scenesMax, size: "max" })

/** The server is closed, once or twice, somewhere on the way. */
const closing = fc.record({
  place: fc.nat(scenesMax),
  after,
  drainMs: fc.constantFrom(20, 0, 1, 100, 1_000, 20_000)
})

/** How many ties a history decides by itself; the oldest goes first in the others. */
const choicesMax = 40

const choices = fc.array(fc.nat(3), { maxLength: choicesMax, size: "max" })

/**
 * What histories hold beside requests and what they meet.
 *
 * @since 0.1.0
 * @category models
 */
export interface HistoryOptions {
  /** Whose calls the commands are: those of a test, events of the clock with drawn ties, or either. */
  readonly ties: "none" | "drawn" | "either"
  /** Whether the server is closed somewhere on the way. */
  readonly closes: boolean
  /** A few names that clash, or one for each expectation. */
  readonly names: "few" | "own"
  /** Whether registrations that must fail are common. */
  readonly mistakes?: boolean
}

/**
 * Histories that can happen: dense, so that claims, duplicates, joins and abandoned calls are common. They print as
 * readable lines.
 *
 * @since 0.1.0
 * @category models
 */
export const histories = ({ ties, closes, names, mistakes = false }: HistoryOptions): fc.Arbitrary<History> => {
  const drawn = ties === "either" ? fc.option(choices) : ties === "drawn" ? choices : fc.constant(null)
  const closings = closes ? fc.array(closing, { minLength: 1, maxLength: 2 }) : fc.constant([])
  const scenes = scenesOf(
    mistakes
      ? fc.oneof(
          scene,
          mistake.map((draft): Scene => [draft])
        )
      : scene
  )
  return fc.record({ setup, scenes, choices: drawn, closings }).map(({ setup, scenes, choices, closings }) => {
    const all = [...scenes]
    for (const { place, after, drainMs } of closings) {
      all.splice(Math.min(place, all.length), 0, { after, within: 0, scene: [() => ({ type: "close", drainMs })] })
    }
    return readable({ setup, steps: written(all, names), choices })
  })
}

/**
 * Every kind of history in one arbitrary.
 *
 * @since 0.1.0
 * @category models
 */
export const anyHistory: fc.Arbitrary<History> = fc.oneof(
  { weight: 5, arbitrary: histories({ ties: "none", closes: false, names: "few" }) },
  { weight: 4, arbitrary: histories({ ties: "drawn", closes: false, names: "few" }) },
  { weight: 2, arbitrary: histories({ ties: "either", closes: true, names: "few" }) }
)

/** A scene with its start, and the time between its commands. */
interface Timed {
  readonly after: Step["after"]
  readonly within: Step["after"]
  readonly scene: Scene
}

/** Turns drafts into commands that refer to what came before them. */
const written = (scenes: ReadonlyArray<Timed>, names: HistoryOptions["names"]): ReadonlyArray<Step> => {
  const past: Past = { registrations: [], exchanges: [], turns: 0, texts: 0 }
  const steps: Array<Step> = []
  for (const { after, within, scene } of scenes) {
    for (const [index, draft] of scene.entries()) {
      const drawn = draft(past)
      if (drawn === null) continue
      const command = names === "own" ? withOwnName(drawn, past) : drawn
      remember(past, command)
      steps.push({ after: index === 0 ? after : within, command })
    }
  }
  return steps
}

const withOwnName = (command: Command, past: Past): Command =>
  command.type === "register" ? { ...command, name: `own-${past.registrations.length}` } : command

const remember = (past: Past, command: Command): void => {
  if (command.type === "register") past.registrations.push(command)
  if (command.type === "request") past.exchanges.push(command.request)
  if (command.type === "stray" || command.type === "resource") past.exchanges.push(null)
}

/** Prints as lines in a report of fast-check. */
export const readable = <H extends History>(history: H): H =>
  Object.defineProperty(history, fc.toStringMethod, {
    value: () => `\n${historyLines(history).join("\n")}\n`,
    enumerable: false
  })
