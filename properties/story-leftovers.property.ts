import fc from "fast-check"
import { expect, test } from "vitest"
import { allDeeds, sameAsk, stories } from "./arbitraries/stories.ts"
import { checkProperty } from "./check.ts"
import { patienceMs } from "./laws.ts"
import { tellStory } from "./observation/tell-story.ts"

// Seen to fail when what was abandoned, or what was claimed and not finished, is left out, when retired alternatives are reported,
// when alternatives do not retire, when calls of clients that left are reported, when the second unexpected request of a path is
// left out, when a copy that crosses satisfies a call whose primary has left, and when closing does not end after its time.
test(
  "verify() reports exactly the leftovers, after each step of every interleaving",
  () =>
    checkProperty(
      "leftovers",
      fc.asyncProperty(stories({ deeds: allDeeds, ask: sameAsk }), async (story) => {
        const { seen, expected, steps } = await tellStory(story)

        expect(seen, steps.join("\n")).toEqual(expected)
      }),
      { runs: 300 }
    ),
  patienceMs
)
