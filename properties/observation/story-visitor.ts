import type { Ask, Cuts, Visit } from "../model/story.ts"
import type { StoryModel } from "../model/story-model.ts"
import { requestOf } from "./story-scripts.ts"
import { plainText } from "./story-view.ts"
import type { StoryWorld } from "./story-world.ts"

/** Somebody who takes steps in a story. */
export interface StoryActor {
  /** What the next step is; `null` while there is none. */
  next(): string | null
  act(): Promise<void> | void
}

/** A client of a server and of its model. */
interface Visitor {
  readonly client: number
  readonly world: StoryWorld
  readonly model: StoryModel
}

/** A step of a client; `act` gives false when it gives up. */
interface Step {
  readonly words: string
  readonly isReady: () => boolean
  readonly act: () => boolean
}

/** A client connects, sends, waits for its answer, asks again; or it leaves on the way. */
export const visitor = ({ asks, leavesAt }: Visit, me: Visitor): StoryActor => {
  const { client, world, model } = me
  const steps = asks.flatMap(({ ask, cuts }) => stepsOf(me, ask, cuts))
  let taken = 0
  let isGone = false
  const isLeaving = (): boolean => leavesAt !== null && taken >= leavesAt && isConnected(me)
  return {
    next() {
      if (isGone) return null
      if (isLeaving()) return `client ${client} leaves`
      const step = steps[taken]
      return step?.isReady() === true ? `client ${client} ${step.words}` : null
    },
    act() {
      if (isLeaving()) {
        isGone = true
        world.clients[client]?.connection?.disconnect()
        model.leave(client)
        return
      }
      isGone = steps[taken]?.act() !== true
      taken++
    }
  }
}

const isConnected = ({ client, world }: Visitor): boolean => world.clients[client]?.connection?.isOpen === true

/** The parts of a request, those together between which it is not cut. */
const stepsOf = (me: Visitor, ask: Ask, cuts: Cuts): ReadonlyArray<Step> => {
  const parts: ReadonlyArray<Part> = [
    { words: "connects", act: connect, isCut: (cuts & 1) !== 0 },
    { words: "sends its head", act: sendHead, isCut: (cuts & 2) !== 0 },
    { words: "sends its body", act: sendBody, isCut: true }
  ]
  const steps: Array<ReadonlyArray<Part>> = [[]]
  for (const part of parts) {
    steps.push([...(steps.pop() ?? []), part])
    if (part.isCut) steps.push([])
  }
  return steps
    .filter((together) => together.length > 0)
    .map((together, index) => ({
      words: together.map(({ words }) => words).join(", "),
      isReady: () => index > 0 || isFree(me),
      act: () => together.every((part) => part.act(me, ask))
    }))
}

interface Part {
  readonly words: string
  readonly act: (me: Visitor, ask: Ask) => boolean
  readonly isCut: boolean
}

/** It waits neither for an answer nor for the end of a connection. */
const isFree = (me: Visitor): boolean => !isConnected(me) || canReuse(me)

const canReuse = (me: Visitor): boolean => isConnected(me) && me.world.clients[me.client]?.response?.ended === "end"

const connect = (me: Visitor): boolean => {
  const { client, world, model } = me
  if (canReuse(me)) return true
  const connection = connectOrNull(world)
  world.clients[client] = { connection, response: null, arrive: null }
  // A refusal is compared as well: the model has no connection where there was none.
  if (model.state.closing === "no") model.connect(client)
  else model.refuse(client)
  return connection !== null
}

const connectOrNull = ({ http }: StoryWorld): ReturnType<StoryWorld["http"]["connect"]> | null => {
  try {
    return http.connect()
  } catch {
    return null
  }
}

const sendHead = (me: Visitor, ask: Ask): boolean => {
  const { client, world, model } = me
  const connection = world.clients[client]?.connection
  if (connection?.isOpen !== true) return false
  const { asked, arrive } = world.slow.slowly(() => connection.request(requestOf(ask)))
  world.clients[client] = { connection, response: asked, arrive }
  let ended: string | null = null
  asked.watch(() => {
    if (asked.ended === null || asked.ended === ended) return
    ended = asked.ended
    world.ends.push(`client ${client}: ${ended}, ${plainText(asked.text())}`)
  })
  model.open(client)
  return true
}

const sendBody = (me: Visitor, ask: Ask): boolean => {
  const { client, world, model } = me
  if (!isConnected(me)) return false
  world.clients[client]?.arrive?.()
  model.deliver(client, ask)
  return true
}
