import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import type { GroupHandle } from "../../src/inference/group-handle.ts"
import type { HeldCall, HeldStream } from "../../src/inference/held-call.ts"
import { type Deed, membersOf, type Word } from "../model/story.ts"
import { filterOf, matcherOf, responseOf } from "./story-scripts.ts"
import type { StoryWorld } from "./story-world.ts"

type Scripting = Extract<Deed, { does: "expect" | "any" | "attempts" }>

/** Does to the server what a deed says. */
export const performDeed = (world: StoryWorld, deed: Deed, index: number): void => {
  const { server, clock } = world
  switch (deed.does) {
    case "expect":
    case "any":
    case "attempts":
      world.handles.push(...handlesOf(register(world, deed, index)))
      return
    case "take":
      take(world, deed)
      return
    case "say":
      say(world, deed, index)
      return
    case "release":
      handleOf(world, deed.script)?.release()
      return
    case "retire":
      handleOf(world, deed.script)?.retire()
      return
    case "close":
      server.close({ drainMs: deed.drainMs })
      return
    case "advance":
      clock.advance(deed.ms)
  }
}

const handleOf = ({ handles }: StoryWorld, script: number): ExpectationHandle | undefined =>
  handles[script % handles.length]

const handlesOf = (handle: ExpectationHandle | GroupHandle): ReadonlyArray<ExpectationHandle> =>
  "members" in handle ? handle.members : [handle]

const register = ({ server }: StoryWorld, deed: Scripting, index: number): ExpectationHandle => {
  const name = `script ${index}`
  const scripts = membersOf(deed, index).map(({ label, wanted, line }) => ({
    matcher: matcherOf(wanted),
    response: responseOf(line, label),
    barriers: line.isBarred ? [{ at: "terminal" as const }] : []
  }))
  const [first] = scripts
  if (first === undefined) throw new Error("a script has a member")
  const responses = scripts.map(({ response }) => response)
  switch (deed.does) {
    case "any":
      return server.expectAny(name, scripts)
    case "attempts":
      return server.expectAttempts(name, first.matcher, responses)
    case "expect": {
      const times = deed.times === null ? {} : { times: deed.times }
      return server.expectResponse(name, first.matcher, first.response, { barriers: first.barriers, ...times })
    }
  }
}

const take = ({ server, hands }: StoryWorld, { wanted, count }: Extract<Deed, { does: "take" }>): void => {
  const filter = filterOf(wanted)
  const index = hands.push("waits") - 1
  const taken: Promise<ReadonlyArray<HeldCall>> =
    count === null ? server.next(filter).then((call) => [call]) : server.gather(count, filter)
  taken.then(
    (calls) => {
      hands[index] = calls
    },
    () => {
      hands[index] = "failed"
    }
  )
}

const say = (world: StoryWorld, { call, word }: Extract<Deed, { does: "say" }>, index: number): void => {
  const inHand = world.hands.flatMap((hand) => (typeof hand === "string" ? [] : hand))
  const held = inHand[call % inHand.length]
  if (held === undefined) return
  const outcome = outcomeOf(() => utter(world, held, { word, label: `said ${index}` }))
  world.said.push(`call ${held.number}, ${word.says}: ${outcome}`)
}

const outcomeOf = (act: () => void): string => {
  try {
    act()
    return "accepted"
  } catch (error) {
    const isTooLate = error instanceof Error && "_tag" in error && error._tag === "CallSettled"
    return isTooLate ? "too late" : String(error)
  }
}

const utter = (
  { streams }: StoryWorld,
  held: HeldCall,
  { word, label }: { readonly word: Word; readonly label: string }
): void => {
  switch (word.says) {
    case "reply":
      held.reply(responseOf(word.line, label))
      return
    case "replyText":
      held.replyText(label)
      return
    case "fail":
      held.fail(500, label)
      return
    case "hangUp":
      held.hangUp(word.ending)
      return
    case "proceed":
      held.proceed()
      return
    case "stream":
      streams.set(held, held.stream())
      return
    case "write":
      streamOf(streams, held).write(label)
      return
    case "end":
      streamOf(streams, held).end(word.ending)
  }
}

/** Who has no stream cannot write to it: as late as after its end. */
const streamOf = (streams: StoryWorld["streams"], held: HeldCall): HeldStream => {
  const stream = streams.get(held)
  if (stream === undefined) throw Object.assign(new Error("there is no stream"), { _tag: "CallSettled" })
  return stream
}
