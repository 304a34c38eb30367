import fc from "fast-check"
import { expect, test } from "vitest"
import { heldCalls, stories } from "./arbitraries/stories.ts"
import { checkProperty } from "./check.ts"
import { patienceMs } from "./laws.ts"
import type { StoryView } from "./model/story.ts"
import { tellStory } from "./observation/tell-story.ts"

/** Calls that were answered, once for each answer that was accepted. */
const answeredCalls = ({ said }: StoryView): ReadonlyArray<string> =>
  said.flatMap((line) => {
    const [, call] = /^call (\d+), (?!write|end).*: accepted$/.exec(line) ?? []
    return call === undefined ? [] : [call]
  })

// Seen to fail when a second answer is not refused, when nobody looks whether the client has left, when a call that proceeded can
// be answered, when a stream can be ended twice, when a server that closes cuts answers without settling them, when a stream
// crosses at its first word, and when those who wait are not told that the server has closed.
test(
  "a held call settles exactly once, however test, clients and close race",
  () =>
    checkProperty(
      "held calls",
      fc.asyncProperty(stories({ deeds: heldCalls, visitsMax: 3 }), async (story) => {
        const { seen, expected, steps, end } = await tellStory(story)

        expect(seen, steps.join("\n")).toEqual(expected)
        const answered = answeredCalls(seen)
        expect(new Set(answered).size).toBe(answered.length)
        expect(seen.settled.filter((as) => as !== "crossed" && as !== "cancelled")).toEqual([])
        expect(end).toEqual({ isClosed: true, armedTimers: 0, connections: 0 })
      }),
      { runs: 300 }
    ),
  patienceMs
)
