import { listedChoice } from "../../src/kernel/choice-sources.ts"
import type { Deed, Story, StoryView } from "../model/story.ts"
import { makeStoryModel, type StoryModel } from "../model/story-model.ts"
import { performDeed } from "./story-deeds.ts"
import { seenStory } from "./story-view.ts"
import { type StoryActor, visitor } from "./story-visitor.ts"
import { type StoryWorld, startStoryWorld } from "./story-world.ts"
import { settlePromises } from "./wait.ts"

/** How a story went. */
export interface ToldStory {
  /** The steps that were taken, in words. */
  readonly steps: ReadonlyArray<string>
  /** Server and model after the last step: the first at which they differ, or the end. */
  readonly seen: StoryView
  readonly expected: StoryView
  /** By request, in order of arrival: the call by the model's account, and the expectation that answered it. */
  readonly answers: ReadonlyArray<SeenAnswer>
  readonly end: { readonly isClosed: boolean; readonly armedTimers: number; readonly connections: number }
}

/** What a request was answered by; `isCopy` when it joined a call that was being answered. */
export interface SeenAnswer {
  readonly call: string
  readonly by: string | null
  readonly isRetry: boolean
  readonly isCopy: boolean
}

/** Longer than any story of the generators. */
const stepsMax = 300

/**
 * Tells a story to a server and to the model, step by step, and stops where they differ. At its end the server is closed.
 *
 * **Gives** what was seen; it never rejects for what the server did
 */
export const tellStory = async (story: Story): Promise<ToldStory> => {
  const world = startStoryWorld(story)
  const model = makeStoryModel(story)
  const actors = actorsOf(story, world, model)
  const choice = listedChoice(story.schedule)
  const steps: Array<string> = []
  const isAgreed = (): boolean => JSON.stringify(seenStory(world)) === JSON.stringify(model.view())
  while (steps.length < stepsMax && isAgreed()) {
    const able = actors.filter((actor) => actor.next() !== null)
    const actor = able[able.length === 0 ? 0 : choice.draw(able.length, "story")]
    if (actor === undefined) break
    steps.push(String(actor.next()))
    const acting = actor.act()
    // A step is a turn: only the step that is for them lets promises run.
    if (acting !== undefined) await acting
  }
  if (isAgreed()) await closeAtEnd(world, model, steps)
  return {
    steps,
    seen: seenStory(world),
    expected: model.view(),
    answers: world.server.requests().map(({ answer }, index) => {
      const copy = model.state.copies[index]
      return {
        call: copy?.call ?? "",
        by: answer.expectation,
        isRetry: (copy?.attempt ?? 1) > 1,
        isCopy: answer.source === "replay"
      }
    }),
    end: {
      isClosed: seenStory(world).isClosed,
      armedTimers: world.clock.armed(),
      connections: world.http.connections()
    }
  }
}

const closeAtEnd = async (world: StoryWorld, model: StoryModel, steps: Array<string>): Promise<void> => {
  steps.push("the test closes the server at the end")
  const close: Deed = { does: "close", drainMs: 0 }
  model.deed(close, steps.length)
  performDeed(world, close, steps.length)
  world.clock.settle()
  model.elapse(0)
  await settlePromises()
  model.tell()
}

const actorsOf = (story: Story, world: StoryWorld, model: StoryModel): ReadonlyArray<StoryActor> => {
  const clients = story.visits.map((visit, client) => visitor(visit, { client, world, model }))
  const promises: StoryActor = {
    next: () => (model.hasNews() ? "promises tell" : null),
    async act() {
      await settlePromises()
      model.tell()
    }
  }
  const clock: StoryActor = {
    next: () => (world.clock.nextDue() <= world.clock.now() ? "the clock does what is due" : null),
    act() {
      world.clock.settle()
      model.elapse(0)
    }
  }
  const isAnybodyAble = (): boolean => [...clients, promises, clock].some((actor) => actor.next() !== null)
  return [tester(story.deeds, { world, model, isAnybodyAble }), ...clients, promises, clock]
}

const tester = (
  deeds: ReadonlyArray<Deed>,
  { world, model, isAnybodyAble }: { world: StoryWorld; model: StoryModel; isAnybodyAble: () => boolean }
): StoryActor => {
  let index = 0
  /** A word waits for a call to say it to, as long as one may come. */
  const waits = (deed: Deed): boolean =>
    deed.does === "say" && world.hands.every((hand) => typeof hand === "string") && isAnybodyAble()
  return {
    next() {
      const deed = deeds[index]
      return deed === undefined || waits(deed) ? null : `the test does ${index}: ${JSON.stringify(deed)}`
    },
    act() {
      const deed = deeds[index]
      if (deed === undefined) return
      performDeed(world, deed, index)
      model.deed(deed, index)
      index++
    }
  }
}
