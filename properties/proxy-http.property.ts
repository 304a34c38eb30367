import fc from "fast-check"
import { expect, test } from "vitest"
import { openHttpFraming } from "../src/proxy/http/open-http-framing.ts"
import type { FramePart, FrameReader, FrameWish } from "../src/wire/frames/frame-reader.ts"
import { latin1Bytes, latin1Text } from "../src/wire/http/latin1.ts"
import { blockFinder } from "../src/wire/sse-blocks.ts"
import { readEvents } from "../src/wire/sse-reader.ts"
import { writtenText } from "../test/proxy/http/lanes.ts"
import { type ParsedMessage, parsedRequests, parsedResponse } from "../test/proxy/http/node-parsers.ts"
import { askers, cutters } from "./arbitraries/framed-streams.ts"
import { eventStreams, exchanges, type WrittenExchange, type WrittenMessage } from "./arbitraries/http-messages.ts"
import { checkProperty } from "./check.ts"

interface Asking {
  readonly wishes: ReadonlyArray<FrameWish>
  readonly chunksAtOnce: number
}

const oneByOne: Asking = { wishes: [{ most: 1, isWhole: true }], chunksAtOnce: 1 }

/** All that a reader gives for these chunks. */
const readAll = (reader: FrameReader, chunks: ReadonlyArray<Uint8Array>, { wishes, chunksAtOnce }: Asking) => {
  const parts: Array<FramePart> = []
  let asked = 0
  const ask = (): boolean => {
    const wish = wishes[asked++ % wishes.length] ?? { most: 1, isWhole: true }
    const wasInFrame = reader.isInFrame()
    const part = reader.next(wish)
    if (part === null) return false
    expect(part.frames).toBeLessThanOrEqual(wish.most)
    // What a rule may be about behind that has not been begun.
    if (part.frames === wish.most) expect(part.last).not.toBeNull()
    expect(part.frames === 1 || !part.isWhole).toBe(true)
    if (wish.isWhole && !wasInFrame) expect(part.isWhole).toBe(part.frames === 1)
    parts.push(part)
    return true
  }
  for (const [place, chunk] of chunks.entries()) {
    reader.feed(chunk)
    if ((place + 1) % chunksAtOnce === 0) while (ask());
  }
  reader.close?.()
  while (ask());
  const rest = reader.end()
  expect(reader.failure()).toBeNull()
  return rest === null ? parts : [...parts, rest]
}

type Cut = (bytes: Uint8Array) => ReadonlyArray<Uint8Array>

/** Both directions of a connection, requests first. */
const throughLanes = (
  written: ReadonlyArray<WrittenExchange>,
  { cut, asking, isRechunked }: { readonly cut: Cut; readonly asking: Asking; readonly isRechunked: boolean }
) => {
  const readers = openHttpFraming().open({ mayChangeLength: () => isRechunked })
  const bytes = (messages: ReadonlyArray<WrittenMessage>) => latin1Bytes(messages.map(({ text }) => text).join(""))
  return {
    requests: readAll(readers.clientToLeader, cut(bytes(written.map(({ request }) => request))), asking),
    responses: readAll(readers.leaderToClient, cut(bytes(written.map(({ response }) => response))), asking)
  }
}

/** The parts of each response: a new one begins with the head behind one that is no 1xx. */
const byResponse = (parts: ReadonlyArray<FramePart>): ReadonlyArray<ReadonlyArray<FramePart>> => {
  const groups: Array<Array<FramePart>> = []
  let isFinal = true
  for (const part of parts) {
    const isHead = part.last?.kind === "head"
    if (isHead && isFinal) groups.push([])
    if (isHead) isFinal = !latin1Text(part.bytes).startsWith("HTTP/1.1 1")
    groups.at(-1)?.push(part)
  }
  return groups
}

/** What a message that went in is to be read as. */
const expected = ({ text: _, headers, ...message }: WrittenMessage, isRechunked: boolean) => ({
  ...message,
  headers: headers
    .map((line) => line.replace(/^(accept-encoding): .*$/i, "$1: identity"))
    .filter(isNoLength(isRechunked))
})

const isNoLength = (isRechunked: boolean) => (line: string) =>
  !isRechunked || !/^(content-length|transfer-encoding):/i.test(line)

const seen = (message: ParsedMessage, isRechunked: boolean) => ({
  ...message,
  headers: message.headers.filter(isNoLength(isRechunked))
})

// Seen to fail when the size of a chunk is forgotten at a cut, 204 or an answer to HEAD has a body, a 1xx answers, trailers are lost, a body
// that is put into chunks has no last one, and when empty lines before a request are no head.
test("X1. what goes through the framing of HTTP untouched is read by Node's parsers as what went in", async () => {
  const asked = fc.tuple(exchanges, cutters, askers, fc.boolean())
  const property = fc.asyncProperty(asked, async ([written, cut, asking, isRechunked]) => {
    const { requests, responses } = throughLanes(written, { cut, asking, isRechunked })

    const read = await parsedRequests(latin1Bytes(writtenText(requests)))
    expect(read.map((message) => seen(message, isRechunked))).toEqual(
      written.map(({ request }) => expected(request, isRechunked))
    )
    const groups = byResponse(responses)
    expect(groups).toHaveLength(written.length)
    for (const [place, { method, response }] of written.entries()) {
      const message = await parsedResponse(latin1Bytes(writtenText(groups[place] ?? [])), method)
      const untouched = expected(response, isRechunked)
      // Of responses nothing is changed but the length.
      expect(seen(message, isRechunked)).toEqual({
        ...untouched,
        headers: response.headers.filter(isNoLength(isRechunked))
      })
    }
  })
  await checkProperty("X1 HTTP", property)
})

/** Each part as text, with its kind. */
const inShort = (parts: ReadonlyArray<FramePart>): ReadonlyArray<string> =>
  parts.map(({ bytes, frames, last }) => `${frames} ${last?.kind} ${last?.totalBytes} ${latin1Text(bytes)}`)

// Seen to fail when a run begins the frame behind its last one, or has more frames than were wanted.
test("X2. frames of HTTP are the same, however the bytes are cut and whatever is asked for", () => {
  const property = fc.property(exchanges, cutters, askers, (written, cut, asking) => {
    const together = throughLanes(written, { cut: (bytes) => [bytes], asking: oneByOne, isRechunked: false })
    const cutUp = throughLanes(written, { cut, asking: oneByOne, isRechunked: false })
    const inAnyWay = throughLanes(written, { cut, asking, isRechunked: false })

    for (const side of ["requests", "responses"] as const) {
      expect(joinedLoose(inShort(cutUp[side]))).toEqual(joinedLoose(inShort(together[side])))
      const whole = frameStarts(together[side])
      const bytesOf = (parts: ReadonlyArray<FramePart>) => parts.map(({ bytes }) => latin1Text(bytes)).join("")
      expect(bytesOf(inAnyWay[side])).toBe(bytesOf(together[side]))
      expect(sum(inAnyWay[side])).toBe(sum(together[side]))
      for (const [start, frame] of frameStarts(inAnyWay[side])) expect(frame).toBe(whole.get(start))
    }
  })
  checkProperty("X2 HTTP", property)
})

/** What is no frame is given in any pieces. */
const joinedLoose = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const loose = "0 undefined undefined "
  const joined: Array<string> = []
  for (const part of parts) {
    const isJoined = part.startsWith(loose) && joined.at(-1)?.startsWith(loose) === true
    joined.push(isJoined ? `${joined.pop()}${part.slice(loose.length)}` : part)
  }
  return joined
}

/** Where each frame that was given whole begins, and what it is. */
const frameStarts = (parts: ReadonlyArray<FramePart>): ReadonlyMap<number, string> => {
  let at = 0
  const starts = new Map<number, string>()
  for (const part of parts) {
    if (part.isWhole) starts.set(at, inShort([part]).join())
    at += part.bytes.length
  }
  return starts
}

const sum = (parts: ReadonlyArray<FramePart>): number => parts.reduce((total, { frames }) => total + frames, 0)

// Seen to fail when `data` alone is no line of data, and when a byte-order mark belongs to the first line.
test("X2. the events that are frames are those of the standard, wherever a stream is cut", () => {
  const property = fc.property(eventStreams, cutters, (text, cut) => {
    const bytes = latin1Bytes(text)
    const finder = blockFinder()
    const ends: Array<{ readonly at: number; readonly isEvent: boolean }> = []
    let before = 0
    for (const piece of cut(bytes)) {
      finder.scan(piece, (at, isEvent) => ends.push({ at: before + at, isEvent }))
      before += piece.length
    }
    const last = finder.finish()
    if (last !== null) ends.push({ at: bytes.length, isEvent: last })

    const decode = (piece: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(piece)
    const blocks = ends.map(({ at, isEvent }, place) => ({
      isEvent,
      events: readEvents(decode(bytes.subarray(ends[place - 1]?.at ?? 0, at)))
    }))
    expect(blocks.filter(({ isEvent }) => isEvent).flatMap(({ events }) => events)).toEqual(readEvents(decode(bytes)))
    expect(blocks.filter(({ isEvent, events }) => isEvent !== (events.length === 1))).toEqual([])
  })
  checkProperty("X2 events", property)
})
