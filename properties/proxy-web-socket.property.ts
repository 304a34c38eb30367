import fc from "fast-check"
import { expect, test } from "vitest"
import { openFraming } from "../src/proxy/framing/open-framing.ts"
import type { Direction } from "../src/proxy/plan/fault-program.ts"
import type { FramePart } from "../src/wire/frames/frame-reader.ts"
import { cutters, joined, wishLists } from "./arbitraries/framed-streams.ts"
import {
  agreed,
  frameShape,
  givenWhole,
  handshakes,
  type WrittenFrame,
  webSocketFrames
} from "./arbitraries/web-socket-streams.ts"
import { checkProperty } from "./check.ts"
import { type DirectionOutput, readConnection } from "./observation/connection-reading.ts"
import { expectedFacts, factsOf, placed, type SeenPart, unwished } from "./observation/frame-reading.ts"

const bytesOf = (parts: ReadonlyArray<FramePart | null>): Uint8Array =>
  joined(parts.map((part) => part?.bytes ?? new Uint8Array()))

const everything = ({ visitor, rest }: DirectionOutput): Uint8Array =>
  bytesOf([...visitor.seen.map(({ part }) => part), rest])

/** One direction behind its head: frames, and perhaps the beginning of another. */
const frameStreams = fc.record({
  frames: fc.array(webSocketFrames, { maxLength: 8 }),
  unfinished: webSocketFrames,
  cutoff: fc.nat(300),
  cutAnywhere: cutters,
  isCutByFrames: fc.boolean(),
  wishes: wishLists
})
type FrameStream = typeof frameStreams extends fc.Arbitrary<infer Stream> ? Stream : never

const tailOf = ({ unfinished, cutoff }: FrameStream): Uint8Array =>
  unfinished.bytes.subarray(0, cutoff % unfinished.bytes.length)

const streamOf = (head: Uint8Array, stream: FrameStream): Uint8Array =>
  joined([head, ...stream.frames.map(({ bytes }) => bytes), tailOf(stream)])

const chunksOf = (head: Uint8Array, stream: FrameStream): ReadonlyArray<Uint8Array> =>
  stream.isCutByFrames
    ? [head, ...stream.frames.map(({ bytes }) => bytes), tailOf(stream)]
    : stream.cutAnywhere(streamOf(head, stream))

const turnLists = fc.array(fc.constantFrom<Direction>("clientToLeader", "leaderToClient"), { maxLength: 40 })

// One of these properties or more was seen to fail on each of these bugs, planted one at a time: a mask is no part of the header; of a length of
// 16 bits one byte is read; a frame whose header is cut is passed over; a final frame ends no message that began before; frames of control
// count in runs, end messages, are part of them, or wait for their end; a text within a message begins another; a header that is refused
// changes what is told of frames before it; the limit counts the last frame of a message alone, or what came before the message; frames of a
// message that were gathered are overtaken by a run; the end of a message whose beginning was given is a whole one; a response 100 is
// the last one; only a response makes both directions opaque; nobody waits for the response, is woken by it, or is ended before it for that
// reason; `X-Upgrade` asks for a web socket; what comes behind a head in its chunk is lost.
test("X2. frames of a web socket are found behind its heads, or none, whatever comes first of the two directions", () => {
  const streams = fc.tuple(handshakes, frameStreams, frameStreams, turnLists)
  const property = fc.property(streams, ([handshake, asked, answered, turns]) => {
    const read = readConnection(
      openFraming("webSocket"),
      {
        clientToLeader: { chunks: chunksOf(handshake.request, asked), wishes: asked.wishes },
        leaderToClient: { chunks: chunksOf(handshake.response, answered), wishes: answered.wishes }
      },
      turns
    )

    for (const [direction, head, stream] of [
      ["clientToLeader", handshake.request, asked],
      ["leaderToClient", handshake.response, answered]
    ] as const) {
      const output = read[direction]
      const { seen } = output.visitor
      expect(output.problem).toBeNull()
      expect(everything(output)).toEqual(streamOf(head, stream))
      if (handshake.isAgreed) {
        const ends = placed(stream.frames.map(frameShape), head.length)
        const heads = headEnds(seen, head.length)
        expect(factsOf(seen).slice(heads)).toEqual(expectedFacts(seen, ends, head.length).slice(heads))
        expect(unwished(seen.slice(heads))).toEqual([])
        expect(output.openBytes).toBe(tailOf(stream).length)
      } else
        for (const { part } of seen.slice(headEnds(seen, head.length)))
          expect(part).toMatchObject({
            frames: 1,
            isWhole: true,
            last: { headerBytes: 0, totalBytes: part.bytes.length }
          })
    }
  })
  checkProperty("X2 web socket", property)
})

/** How many parts are heads: together exactly the heads, with no frame in them. */
const headEnds = (seen: ReadonlyArray<SeenPart>, headBytes: number): number => {
  let parts = 0
  for (let bytes = 0; bytes < headBytes; parts++) {
    const { part } = seen[parts] ?? {}
    expect(part).toMatchObject({ frames: 0, last: null, isWhole: false })
    bytes += part?.bytes.length ?? headBytes
    expect(bytes).toBeLessThanOrEqual(headBytes)
  }
  return parts
}

/** Reads what a client sends behind a handshake, a message counting as a frame. */
const readMessages = (stream: FrameStream, limitBytes = 67_108_864) => {
  const read = readConnection(
    openFraming({ type: "webSocket", counts: "messages", limitBytes }),
    {
      clientToLeader: { chunks: [agreed.request, ...chunksOf(new Uint8Array(), stream)], wishes: stream.wishes },
      leaderToClient: { chunks: [agreed.response], wishes: stream.wishes }
    },
    ["clientToLeader", "leaderToClient"]
  )
  const { visitor, ...output } = read.clientToLeader
  return { ...output, seen: visitor.seen.slice(1) }
}

test("X2. a message that is wanted whole is its frames, and frames of control pass it", () => {
  const property = fc.property(frameStreams, (stream) => {
    const { seen, rest, problem } = readMessages({ ...stream, wishes: [{ most: 1, isWhole: true }] })

    const given = givenWhole(stream.frames)
    expect(problem).toBeNull()
    expect(seen.map(({ part }) => ({ bytes: [...part.bytes], message: part.last, isWhole: part.isWhole }))).toEqual(
      given.map(({ bytes, message }) => ({ bytes: [...bytes], message, isWhole: message !== null }))
    )
    expect(seen.map(({ part }) => part.frames)).toEqual(given.map(({ message }) => (message === null ? 0 : 1)))
    const open = stream.frames.filter(({ isControl }) => !isControl)
    const complete = open.findLastIndex(({ isFinal }) => isFinal) + 1
    const left = open.slice(complete).map(({ bytes }) => bytes)
    expect(bytesOf([rest])).toEqual(joined([...left, tailOf(stream)]))
  })
  checkProperty("X2 whole messages", property)
})

test("X2. messages in runs are counted where they end, and everything stays where it stands", () => {
  const property = fc.property(frameStreams, (stream) => {
    const bytes = streamOf(new Uint8Array(), stream)
    const wishes = stream.wishes.map(({ most }) => ({ most, isWhole: false }))

    const { seen, rest, problem, openBytes } = readMessages({ ...stream, wishes })

    expect(problem).toBeNull()
    expect(bytesOf([...seen.map(({ part }) => part), rest])).toEqual(bytes)
    expectRuns(seen, stream.frames)
    expect(openBytes).toBe(openBytesOf(stream))
  })
  checkProperty("X2 runs of messages", property)
})

/** Each part ends as many messages as end in its bytes, which stand in the order of the stream. */
const expectRuns = (seen: ReadonlyArray<SeenPart>, frames: ReadonlyArray<WrittenFrame>): void => {
  const ends = messagesIn(frames)
  let to = 0
  for (const { part, wish } of seen) {
    const from = to
    to += part.bytes.length
    const inside = ends.filter(({ at }) => at > from && at <= to)
    const last = inside.at(-1)
    expect(part.frames).toBe(inside.length)
    expect(part.frames).toBeLessThanOrEqual(wish.most)
    expect(part.last).toEqual(last?.at === to ? last.message : null)
    expect(part.isWhole).toBe(inside.length === 1 && last?.at === to && last.bytes.length === to - from)
  }
}

const messagesIn = (frames: ReadonlyArray<WrittenFrame>) => givenWhole(frames).filter(({ message }) => message !== null)

/** What there is of the message that is not complete, and of the frame that is not. */
const openBytesOf = (stream: FrameStream): number => {
  const data = stream.frames.filter(({ isControl }) => !isControl)
  const open = data.slice(data.findLastIndex(({ isFinal }) => isFinal) + 1)
  return open.reduce((sum, { bytes }) => sum + bytes.length, tailOf(stream).length)
}

test("X2. messages and frames of control keep their order, each for itself, however messages are wanted", () => {
  const property = fc.property(frameStreams, (stream) => {
    const { seen, rest, problem } = readMessages({ ...stream, cutoff: 0 })

    const given = joined([...seen.map(({ part }) => part.bytes), rest?.bytes ?? new Uint8Array()])
    const order = (frames: ReadonlyArray<WrittenFrame>, isControl: boolean): ReadonlyArray<string> =>
      frames.filter((frame) => frame.isControl === isControl).map(({ bytes }) => bytes.join())
    const found = framesIn(given, stream.frames)
    expect(problem).toBeNull()
    expect(order(found, true)).toEqual(order(stream.frames, true))
    expect(order(found, false)).toEqual(order(stream.frames, false))
    expect(seen.reduce((sum, { part }) => sum + part.frames, 0)).toBe(messagesIn(stream.frames).length)
    for (const [place, { part, wish, wasInFrame, heldBytes, fedBytes }] of seen.entries()) {
      const before = seen.slice(0, place + 1).reduce((sum, one) => sum + one.part.bytes.length, agreed.request.length)
      expect(heldBytes).toBe(fedBytes - before)
      if (wish.isWhole && !wasInFrame) expect(part.isWhole || part.last === null).toBe(true)
      if (part.isWhole) expect(part.last?.totalBytes).toBe(part.bytes.length)
    }
  })
  checkProperty("X2 order of messages", property)
})

/** The frames in bytes, each found as one of those that were sent. */
const framesIn = (bytes: Uint8Array, sent: ReadonlyArray<WrittenFrame>): ReadonlyArray<WrittenFrame> => {
  const left = { control: sent.filter(({ isControl }) => isControl), data: sent.filter(({ isControl }) => !isControl) }
  const found: Array<WrittenFrame> = []
  for (let at = 0; at < bytes.length; ) {
    const queue = ((bytes[at] ?? 0) & 8) === 0 ? left.data : left.control
    const frame = queue.shift()
    if (frame === undefined) break
    expect(bytes.subarray(at, at + frame.bytes.length)).toEqual(frame.bytes)
    found.push(frame)
    at += frame.bytes.length
  }
  return found
}

test("X13. a message may have its limit and no more, and nothing is given of the frame that goes beyond", () => {
  const limits = fc.record({ rank: fc.oneof(fc.constant(0), fc.nat(7)), isShort: fc.boolean(), isRun: fc.boolean() })
  const property = fc.property(frameStreams, limits, (stream, { rank, isShort, isRun }) => {
    const sums = payloadSums(stream.frames)
    const limit = Math.max(0, (sums.toSorted((a, b) => b - a)[rank] ?? 0) - (isShort ? 1 : 0))
    const beyond = sums.findIndex((sum) => sum > limit)
    const fitting = beyond < 0 ? stream.frames : stream.frames.slice(0, beyond)
    const wishes = isRun ? stream.wishes.map(({ most }) => ({ most, isWhole: false })) : stream.wishes

    const { seen, problem } = readMessages({ ...stream, wishes, cutoff: 0 }, limit)

    expect(problem === null).toBe(beyond < 0)
    if (isRun) expectRuns(seen, stream.frames)
    expect(seen.reduce((sum, { part }) => sum + part.frames, 0)).toBe(messagesIn(fitting).length)
    const sent = fitting.reduce((sum, { bytes }) => sum + bytes.length, 0)
    expect(seen.reduce((sum, { part }) => sum + part.bytes.length, 0)).toBeLessThanOrEqual(sent)
  })
  checkProperty("X13 messages", property)
})

/** What the limit counts with each frame: the payload of its message so far, or its own. */
const payloadSums = (frames: ReadonlyArray<WrittenFrame>): ReadonlyArray<number> => {
  let open = 0
  return frames.map(({ isControl, isFinal, payloadBytes }) => {
    if (isControl) return payloadBytes
    const sum = open + payloadBytes
    open = isFinal ? 0 : sum
    return sum
  })
}
