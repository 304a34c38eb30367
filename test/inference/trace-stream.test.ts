import { expect, it } from "vitest"
import type { TraceEvent } from "../../src/domain/trace-event.ts"
import { streamedBytesMax, streamedEventsMax, traceStream } from "../../src/inference/trace-stream.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"

const start = () => {
  const trace = makeTrace(makeVirtualClock())
  const stream = traceStream(trace, { isClosed: () => false, onClosed: () => () => {} })
  const request = (number: number, path = "/"): void =>
    trace.record({ type: "request", request: number, method: "GET", path })
  return { stream, request }
}

/** Reads until the stream ends or fails. */
const readAll = async (stream: AsyncIterableIterator<TraceEvent>) => {
  const events: Array<TraceEvent> = []
  try {
    for await (const event of stream) events.push(event)
    return { events, error: null }
  } catch (error) {
    return { events, error: String(error) }
  }
}

it("a reader that stops while it is behind is done, and gets no error", async () => {
  const { stream, request } = start()
  for (let number = 0; number <= streamedEventsMax; number++) request(number)

  await stream.return?.()

  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

it("a reader that is too many bytes behind gets what came before the gap, and then an error", async () => {
  const { stream, request } = start()
  const path = `/${"x".repeat(streamedBytesMax / 4)}`
  for (let number = 0; number < 4; number++) request(number, path)

  const { events, error } = await readAll(stream)

  expect([events.length, error]).toEqual([3, expect.stringContaining(`${streamedBytesMax} bytes behind`)])
})

it("reading makes room, and one large event is never too much", async () => {
  const { stream, request } = start()
  for (let number = 0; number < 3; number++) {
    request(number, "x".repeat(streamedBytesMax + 1))
    expect((await stream.next()).value).toMatchObject({ index: number })
  }
})

it("a reader that fell behind sees nothing from behind the gap, also when it has read on", async () => {
  const { stream, request } = start()
  for (let number = 0; number <= streamedEventsMax; number++) request(number)
  await stream.next()
  request(streamedEventsMax + 1)

  const { events, error } = await readAll(stream)

  expect([events.at(-1)?.index, error]).toEqual([
    streamedEventsMax - 1,
    expect.stringContaining(`${streamedEventsMax} events behind`)
  ])
})
