import type { StoryCopy, StoryState, StoryTaking } from "./story-state.ts"

/** Those that wait for a request, in the order in which they were asked. */
export const takersOf = ({ takings }: StoryState): ReadonlyArray<StoryTaking> =>
  takings.filter((taking) => freePlaces(taking) > 0)

/** How many more requests a `next` or `gather` takes: a client that leaves before all are there makes room at once. */
export const freePlaces = (taking: StoryTaking): number =>
  taking.isLate || taking.isComplete ? 0 : taking.count - stillThere(taking).length

/** What ends when the server closes has not left. */
const stillThere = ({ came }: StoryTaking): ReadonlyArray<StoryCopy> => came.filter(({ leaver }) => leaver !== "client")

export const take = (taking: StoryTaking, copy: StoryCopy): void => {
  copy.wasTaken = true
  taking.came = [...stillThere(taking), copy]
  taking.isComplete = taking.came.length === taking.count
}

/** Promises have something to say. */
export const hasNews = ({ takings, closing }: StoryState): boolean =>
  takings.some(({ hand, isComplete }) => hand === "waits" && (isComplete || closing === "closed"))

/** Promises tell the test what has come. */
export const tell = ({ takings, closing }: StoryState): void => {
  for (const taking of takings) {
    if (taking.hand !== "waits") continue
    if (taking.isComplete) taking.hand = taking.came
    else if (closing === "closed") taking.hand = "failed"
  }
}
