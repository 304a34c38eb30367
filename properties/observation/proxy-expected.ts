import { joined } from "../arbitraries/framed-streams.ts"
import type { EndScene } from "../arbitraries/proxy-scenes.ts"
import type { SentFrame } from "../arbitraries/proxy-streams.ts"
import { type Delivery, modelDelivery } from "../model/proxy-delivery.ts"
import type { PlayedWay, ProxyPlay } from "./play-proxy.ts"

/** Bytes as one comparable value, whose beginnings are those of the bytes. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** The scene of who sends and of who receives. */
export const scenesOf = (
  { scene }: ProxyPlay,
  { connection, direction }: PlayedWay
): { readonly sender: EndScene | undefined; readonly receiver: EndScene | undefined } => {
  const { client, upstream } = scene.connections[connection - 1] ?? {}
  return direction === "clientToLeader"
    ? { sender: client, receiver: upstream }
    : { sender: upstream, receiver: client }
}

/** What was recorded of a way as frames, in order. */
const recordedFrames = ({ stage }: ProxyPlay, { connection, direction }: PlayedWay): ReadonlyArray<SentFrame> =>
  (stage.proxy.recording()?.frames ?? []).filter(
    (frame) => frame.connection === connection && frame.direction === direction && frame.index !== null
  )

/** What came of a way: its frames, those that its sender wrote or chunks that the proxy took for frames, and what is behind the last. */
export const cameOf = (
  play: ProxyPlay,
  way: PlayedWay
): { readonly frames: ReadonlyArray<SentFrame>; readonly rest: Uint8Array } => {
  const heard = way.heard()
  const sent = play.scene.wire.hasFrames ? way.sent.frames : recordedFrames(play, way)
  let at = way.sent.head.length
  const frames = sent.filter(({ bytes }) => {
    at += bytes.length
    return at <= heard.length
  })
  const whole = frames.reduce((sum, { bytes }) => sum + bytes.length, Math.min(heard.length, way.sent.head.length))
  return { frames, rest: heard.subarray(whole) }
}

/** What follows from frames, rules and seed when nobody interferes. */
export const expectedDelivery = (play: ProxyPlay, way: PlayedWay): Delivery => {
  const { scene, rulesSince } = play
  const { connection, direction, sent } = way
  const { frames, rest } = cameOf(play, way)
  return modelDelivery({
    choice: scene.wire.choice,
    connection,
    direction,
    head: sent.head,
    frames,
    tail: way.source()?.hasEnded === true ? (scene.tail === "drop" ? rest.subarray(0, 0) : rest) : null,
    rulesFor: (index) => rulesSince.findLast(({ received }) => received(connection, direction) < index)?.rules ?? [],
    seed: scene.seed
  })
}

export const deliveredBytes = ({ delivered }: Delivery): Uint8Array => joined(delivered.map(({ bytes }) => bytes))

/** Whether nothing but its own rules can have ended a way: no deed, no impolite end, and not the other way. */
export const isUndisturbed = (play: ProxyPlay, way: PlayedWay): boolean => {
  const { sender, receiver } = scenesOf(play, way)
  const isPolite = [sender, receiver].every((end) => end?.ending === "end" || end?.ending === "stay")
  const isCut = play.scene.deeds.some(
    ({ deed }) =>
      deed.type === "severNow" ||
      ((deed.type === "severConnection" || deed.type === "vanish") && deed.connection === way.connection)
  )
  return isPolite && !isCut && !endsBoth(play, otherWay(play, way))
}

const otherWay = ({ ways }: ProxyPlay, { connection, direction }: PlayedWay): PlayedWay | undefined =>
  ways.find((way) => way.connection === connection && way.direction !== direction)

/** Whether a rule of a way may end the connection. */
const endsBoth = (play: ProxyPlay, way: PlayedWay | undefined): boolean => {
  if (way === undefined) return false
  const { endedBy } = expectedDelivery(play, way)
  return endedBy === "sever" || endedBy === "reset" || endedBy === "vanish"
}

/** Behind how many bytes of a delivery each copy of a frame is complete, and whether there is anything of it to be seen. */
export const copyEnds = ({
  delivered
}: Delivery): ReadonlyArray<{ readonly at: number; readonly isEmpty: boolean }> => {
  let at = 0
  return delivered.flatMap(({ bytes, copyOf }) => {
    at += bytes.length
    return copyOf === null ? [] : [{ at, isEmpty: bytes.length === 0 }]
  })
}
