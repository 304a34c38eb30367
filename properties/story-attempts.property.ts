import fc from "fast-check"
import { expect, test } from "vitest"
import { attemptScripts, sameAsk, stories } from "./arbitraries/stories.ts"
import { checkProperty } from "./check.ts"
import { patienceMs } from "./laws.ts"
import type { Story } from "./model/story.ts"
import { type ToldStory, tellStory } from "./observation/tell-story.ts"

/** By chain of attempts: the calls that got its answers. */
const callsOfChains = ({ deeds }: Story, { answers }: ToldStory): ReadonlyArray<ReadonlyArray<string>> =>
  deeds.flatMap((deed, index) => {
    if (deed.does !== "attempts") return []
    const own = answers.filter(({ by }) => by?.startsWith(`script ${index}#`) === true)
    return [[...new Set(own.map(({ call }) => call))]]
  })

/** What retries got that was written for no attempt. */
const eatenByRetries = ({ deeds }: Story, { answers }: ToldStory): ReadonlyArray<string> =>
  answers.flatMap(({ by, isRetry, isCopy }) => {
    const [, index] = /^script (\d+)/.exec(by ?? "") ?? []
    const isOwn = index === undefined || isCopy || deeds[Number(index)]?.does === "attempts"
    return isRetry && !isOwn ? [String(by)] : []
  })

// Seen to fail when what a call left over is taken by the retry of a later one with the same words, when a try takes the oldest
// answer that is left and not that of its number, when every expectation is for any attempt, when a chain forgets the call that took its first answer, when later
// answers are for the retries of any call, when a retry takes what was written for none, when an error status or a stall is taken
// for a success, and when two sessions share their calls.
test(
  "attempts of one call never take the answer of another, however the tries of several calls interleave",
  () =>
    checkProperty(
      "attempts",
      fc.asyncProperty(stories({ deeds: attemptScripts, ask: sameAsk, asksMax: 5 }), async (story) => {
        const told = await tellStory(story)

        expect(told.seen, told.steps.join("\n")).toEqual(told.expected)
        for (const calls of callsOfChains(story, told)) expect(calls.length).toBeLessThanOrEqual(1)
        if (!story.isCounting || story.retries === "own") expect(eatenByRetries(story, told)).toEqual([])
      }),
      { runs: 300 }
    ),
  patienceMs
)
