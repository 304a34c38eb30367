import { type Ask, type Deed, membersOf, type Story, type StoryView, type Word } from "./story.ts"
import { asMatcher, callOf, isWanted, sameness } from "./story-asks.ts"
import { closeConnection, closeServer, end, release, serve, settle } from "./story-copies.ts"
import { freePlaces, hasNews, take, takersOf, tell } from "./story-places.ts"
import { elapse, freshStoryState, type StoryCopy, type StoryScript, type StoryState } from "./story-state.ts"

/**
 * What a server must do in a story, told by other means than the server's own: no chart, no step, no byte.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoryModel {
  readonly state: StoryState
  connect(client: number): void
  /** No connection: the server closes. */
  refuse(client: number): void
  open(client: number): void
  deliver(client: number, ask: Ask): void
  leave(client: number): void
  deed(deed: Deed, index: number): void
  elapse(ms: number): void
  /** Promises tell the test what has come. */
  tell(): void
  /** There is something to tell. */
  hasNews(): boolean
  view(): StoryView
}

export const makeStoryModel = (story: Story): StoryModel => {
  const { isStrict, isCounting, retries } = story
  const state = freshStoryState({ isStrict, isCounting, mayRetriesTakeAny: isCounting && retries === "any" })
  state.connections.push(...story.visits.map(() => null))
  return {
    state,
    connect(client) {
      state.connections[client] = { isOpen: true, isSpent: false, present: null }
    },
    refuse(client) {
      state.connections[client] = null
    },
    open(client) {
      const connection = state.connections[client] ?? null
      if (connection !== null) connection.present = "upload"
    },
    deliver: (client, ask) => arrive(state, client, ask),
    leave: (client) => closeConnection(state, state.connections[client]),
    deed: (deed, index) => perform(state, deed, index),
    elapse: (ms) => elapse(state, ms),
    tell: () => tell(state),
    hasNews: () => hasNews(state),
    view: () => viewOf(state, story.visits.length)
  }
}

/** A whole request is there: who is it, and where does its answer come from? */
const arrive = (state: StoryState, client: number, ask: Ask): void => {
  const copy: StoryCopy = {
    number: state.copies.length + 1,
    client,
    ask,
    words: callOf(ask),
    call: callOf(ask),
    attempt: null,
    place: 0,
    stage: "held",
    status: null,
    text: "",
    ended: null,
    settled: null,
    isComplete: false,
    wasTaken: false,
    leaver: null,
    script: null,
    isPrimary: false,
    rest: () => {}
  }
  state.copies.push(copy)
  countTry(state, copy)
  const connection = state.connections[client] ?? null
  if (connection !== null) connection.present = copy
  const taking = isCopyOfLive(state, ask) ? undefined : takersOf(state).find(({ wanted }) => isWanted(wanted, ask))
  if (taking === undefined) decide(state, copy)
  else take(taking, copy)
}

/** Which try of its call a copy is, once that is counted. */
const countTry = (state: StoryState, copy: StoryCopy): void => {
  if (!state.isCounting || copy.attempt !== null) return
  const before = state.tries.get(copy.words)
  const isRetry = before !== undefined && !(before.isComplete && (before.status ?? 0) < 400)
  copy.attempt = isRetry ? (before.attempt ?? 0) + 1 : 1
  copy.place = isRetry ? before.place + 1 : 1
  // What was answered well is over: the same words are another call then.
  copy.call = isRetry ? before.call : `${copy.words} from ${copy.number}`
  state.tries.set(copy.words, copy)
}

const isLive = ({ phase, sameness: known }: StoryScript, ask: Ask): boolean =>
  known !== null && known === sameness(ask) && (phase === "Received" || phase === "Blocked")

const isCopyOfLive = ({ scripts }: StoryState, ask: Ask): boolean => scripts.some((script) => isLive(script, ask))

/** Where the answer comes from when no test takes it: a live call, the oldest script for it, nothing. */
const decide = (state: StoryState, copy: StoryCopy): void => {
  const { ask } = copy
  const live = state.scripts.find((script) => isLive(script, ask))
  const script = live ?? state.scripts.find((one) => one.phase === "Pending" && isFor(state, one, copy))
  if (script === undefined) {
    unscripted(state, copy)
    return
  }
  copy.script = script
  script.active++
  if (live === undefined) claim(state, script, copy)
  else copy.place--
  serve(state, copy, script)
}

/** A retry takes only what was written for its own call; a later answer of a call is for its retry of that number alone. */
const isFor = ({ scripts, mayRetriesTakeAny }: StoryState, script: StoryScript, copy: StoryCopy): boolean => {
  if (!isWanted(asMatcher(script.wanted), copy.ask)) return false
  const isFirstTry = copy.attempt === null || copy.attempt === 1
  if (script.does !== "attempts" || script.place === 1) return isFirstTry || mayRetriesTakeAny
  const first = scripts.find(({ deed, place }) => deed === script.deed && place === 1)?.primary
  if (isFirstTry || first?.attempt == null || first.call !== copy.call) return false
  return copy.place - first.place === script.place - 1
}

const claim = (state: StoryState, script: StoryScript, copy: StoryCopy): void => {
  copy.isPrimary = true
  script.primary = copy
  script.phase = "Received"
  script.sameness = sameness(copy.ask)
  if (script.does !== "any") return
  for (const other of state.scripts) {
    if (other.deed === script.deed && other.phase === "Pending") other.phase = "Retired"
  }
}

const unscripted = (state: StoryState, copy: StoryCopy): void => {
  const text = state.isStrict ? "unexpected" : "echo"
  if (state.isStrict) state.unexpected.push(`unexpected ${copy.ask.endpoint}`)
  answer(state, copy, { status: state.isStrict ? 400 : 200, text })
}

const answer = (state: StoryState, copy: StoryCopy, { status, text }: { status: number; text: string }): void => {
  settle(state, copy, "crossed")
  copy.status = status
  copy.text += text
  end(state, copy, "end")
}

const perform = (state: StoryState, deed: Deed, index: number): void => {
  switch (deed.does) {
    case "expect":
    case "any":
    case "attempts":
      if (deed.does === "attempts") state.isCounting = true
      membersOf(deed, index).forEach((member, at) => {
        const start = { phase: "Pending", isReleased: false, sameness: null, primary: null, active: 0 } as const
        state.scripts.push({ ...member, ...start, deed: index, does: deed.does, place: at + 1 })
      })
      return
    case "take": {
      const { wanted, count } = deed
      const isLate = state.closing === "closed"
      state.takings.push({ wanted, count: count ?? 1, isLate, came: [], isComplete: false, hand: "waits" })
      return
    }
    case "say": {
      const inHand = state.takings.flatMap(({ hand }) => (typeof hand === "string" ? [] : hand))
      const copy = inHand[deed.call % inHand.length]
      if (copy === undefined) return
      const outcome = say(state, copy, { word: deed.word, label: `said ${index}` })
      state.said.push(`call ${copy.number}, ${deed.word.says}: ${outcome}`)
      return
    }
    case "release":
      release(state, state.scripts[deed.script % state.scripts.length])
      return
    case "retire": {
      const script = state.scripts[deed.script % state.scripts.length]
      if (script?.phase === "Pending") script.phase = "Retired"
      return
    }
    case "close":
      closeServer(state, deed.drainMs)
      return
    case "advance":
      elapse(state, deed.ms)
  }
}

/** One word to one call: the first that ends or opens its answer is taken, and of a stream what comes before its end. */
const say = (
  state: StoryState,
  copy: StoryCopy,
  { word, label }: { readonly word: Word; readonly label: string }
): "accepted" | "too late" => {
  const isOfStream = word.says === "write" || word.says === "end"
  if (copy.stage !== (isOfStream ? "writing" : "held")) return "too late"
  switch (word.says) {
    case "reply":
      serve(state, copy, { line: { ...word.line, isBarred: false }, label })
      break
    case "replyText":
      answer(state, copy, { status: 200, text: label })
      break
    case "fail":
      answer(state, copy, { status: 500, text: label })
      break
    case "hangUp":
      settle(state, copy, "crossed")
      end(state, copy, word.ending)
      break
    case "proceed":
      countTry(state, copy)
      decide(state, copy)
      break
    case "stream":
      copy.stage = "writing"
      copy.status = 200
      break
    case "write":
      copy.text += `data: ${label}\n\n`
      break
    case "end":
      settle(state, copy, "crossed")
      end(state, copy, word.ending)
  }
  return "accepted"
}

const viewOf = (state: StoryState, clients: number): StoryView => ({
  clients: Array.from({ length: clients }, (_, client) => {
    const connection = state.connections[client] ?? null
    if (connection === null) return null
    const { present } = connection
    const isOpen = connection.isOpen && !connection.isSpent
    if (present === null || present === "upload") return { isOpen, status: null, text: "", ended: null }
    return { isOpen, status: present.status, text: present.text, ended: present.ended }
  }),
  ends: state.ends,
  hands: state.takings.map(({ hand }) =>
    typeof hand === "string" ? hand : hand.map(({ number, stage }) => ({ number, isGone: stage === "gone" }))
  ),
  phases: state.scripts.map(({ name, phase }) => `${name}: ${phase}`),
  leftovers: [
    ...state.scripts
      .filter(({ phase }) => phase === "Pending" || phase === "Received" || phase === "Blocked")
      .map(({ name, phase }) => `expectation \`${name}\` (state: ${phase})`),
    ...state.abandoned.map((name) => `expectation \`${name}\` (state: Abandoned)`),
    ...state.unexpected,
    // What was taken and is owed an answer, in order of arrival, and what nobody came for.
    ...state.copies.filter(({ wasTaken, stage }) => wasTaken && (stage === "held" || stage === "writing")).map(owed),
    ...takersOf(state).map((taking) => `waits for ${freePlaces(taking)}`)
  ],
  said: state.said,
  settled: state.copies.map(({ settled }) => settled ?? "open"),
  isClosed: state.closing === "closed"
})

const owed = ({ number, stage }: StoryCopy): string => `call ${number}: ${stage === "held" ? "not answered" : "stream"}`
