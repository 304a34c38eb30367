import fc from "fast-check"
import { expect, test } from "vitest"
import { gatherings, sameAsk, stories } from "./arbitraries/stories.ts"
import { checkProperty } from "./check.ts"
import { patienceMs } from "./laws.ts"
import type { StoryView } from "./model/story.ts"
import { tellStory } from "./observation/tell-story.ts"

/** The numbers of the deeds whose words clients had in whole, in the order in which they had them. */
const orderOfAnswers = ({ ends }: StoryView): ReadonlyArray<number> =>
  ends.flatMap((end) => {
    const [, deed] = /: end, (?:data: )?said (\d+)/.exec(end) ?? []
    return deed === undefined ? [] : [Number(deed)]
  })

// Seen to fail when the newest of those who wait takes a request, when calls come in the reverse order of their arrival, when a
// client that has left keeps its place, when its copy does not notice that it left, when the place of one that left comes back
// late (it did), when the test gets the calls before the last is there, and when filters ignore session or turn.
test(
  "n arrivals at an arrival barrier are answered exactly in the written order, whoever leaves and however they interleave",
  () =>
    checkProperty(
      "gathered calls",
      fc.asyncProperty(stories({ deeds: gatherings, ask: sameAsk, visitsMax: 6 }), async (story) => {
        const { seen, expected, steps } = await tellStory(story)

        expect(seen, steps.join("\n")).toEqual(expected)
        const order = orderOfAnswers(seen)
        expect(order).toEqual([...order].sort((a, b) => a - b))
      }),
      { runs: 300 }
    ),
  patienceMs
)
