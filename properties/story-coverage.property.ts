import fc from "fast-check"
import { expect, test } from "vitest"
import { allDeeds, attemptScripts, gatherings, heldCalls, sameAsk, stories } from "./arbitraries/stories.ts"
import { isLeftOut, readSettings } from "./check.ts"
import { patienceMs } from "./laws.ts"
import { type ToldStory, tellStory } from "./observation/tell-story.ts"

/** Fewer runs say nothing about what is rare. */
const runsMin = 600

/** Of so many stories each sight must be seen in this part. */
const shareMin = 0.01

const hasStep = ({ steps }: ToldStory, pattern: RegExp): boolean => steps.some((step) => pattern.test(step))

const isGathered = ({ seen }: ToldStory): boolean =>
  seen.hands.some((hand) => typeof hand !== "string" && hand.length > 1)

/** What the laws of stories are about, and when a story has come to it. */
const sights: Readonly<Record<string, (told: ToldStory) => boolean>> = {
  "several calls were gathered": isGathered,
  "they were, after a client had left": (told) => isGathered(told) && hasStep(told, /leaves/),
  "two answers were written": ({ seen }) => seen.ends.filter((end) => end.includes("said ")).length > 1,
  "a word came too late": ({ seen }) => seen.said.some((line) => line.endsWith("too late")),
  "a stream was written by hand": ({ seen }) => seen.said.some((line) => line.endsWith("end: accepted")),
  "a held call went on to a script": ({ seen, answers }) =>
    seen.said.some((line) => line.endsWith("proceed: accepted")) && answers.some(({ by }) => by !== null),
  "an answer was cut by close": ({ seen, steps }) => steps.length > 1 && seen.ends.some((end) => end.includes(": fin")),
  "a second attempt got its answer": ({ answers }) => answers.some(({ by }) => by?.endsWith("#2") === true),
  "a retry got nothing that was scripted": ({ answers }) => answers.some(({ by, isRetry }) => isRetry && by === null),
  "a copy joined a call": ({ answers }) => answers.some(({ isCopy }) => isCopy),
  "an alternative retired": ({ seen }) => seen.phases.some((phase) => phase.endsWith("Retired")),
  "a script was abandoned": ({ seen }) => seen.phases.some((phase) => phase.endsWith("Abandoned")),
  "a body came later than its head": (told) => hasStep(told, /client \d+ sends its body/),
  "a client left between head and body": ({ steps }) =>
    steps.some((step, index) => /head$/.test(step) && steps[index + 1] === `${step.slice(0, 8)} leaves`)
}

const kinds = [
  stories({ deeds: gatherings, ask: sameAsk, visitsMax: 6 }),
  stories({ deeds: attemptScripts, ask: sameAsk }),
  stories({ deeds: heldCalls, visitsMax: 3 }),
  stories({ deeds: allDeeds, ask: sameAsk })
]

// Seen to fail when clients never leave, and when no request is cut.
test(
  "stories come to everything that their laws are about",
  async () => {
    if (isLeftOut("story coverage")) return
    const { seed, numRuns } = readSettings("story coverage", { runs: runsMin }, process.env)
    const runs = Math.max(numRuns, runsMin)
    const counts = new Map(Object.keys(sights).map((name) => [name, 0]))

    for (const story of fc.sample(fc.oneof(...kinds), { seed, numRuns: runs })) {
      const told = await tellStory(story)
      for (const [name, isSeen] of Object.entries(sights)) {
        if (isSeen(told)) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }

    expect([...counts].filter(([, count]) => count < runs * shareMin)).toEqual([])
  },
  patienceMs
)
