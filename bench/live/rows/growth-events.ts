import { setTimeout } from "node:timers/promises"
import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { pointsOf, sizeText, startGrowing, startReaders } from "../growth/growth-stand.ts"
import { toldFigure } from "../proxy/told-figure.ts"

const sizes = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
/** Events that one measurement takes, in as many streams as that makes. */
const eventsEach = 20_000
const mebibyte = 1_024 * 1_024
/** How long memory has to stay as it is, at a reader that does not read. */
const lookMs = 200
const sameLooks = 10

const how =
  "One stream after the other of so many events, from its request to its end, each event counted. Slow reader: what the process holds more than " +
  "before the request, when a client has asked for a stream of 1,000,000 events, and reads nothing."

interface Stream {
  readonly seconds: number
  readonly events: number
}

export const measureEvents: MeasureRow = async (usual) => {
  const repetitions = Math.min(5, usual.repetitions)
  const problems: Array<string> = []
  const told: Array<readonly [number, Figure]> = []
  const readers = startReaders()
  const { growing, port } = await startGrowing()
  const stream = async (events: number): Promise<Stream> => {
    await growing.ask({ events })
    const asked = await readers.ask({ port, ask: 1 })
    const read = await readers.ask({ readAll: true })
    if (read.problem !== null || read.events !== events)
      problems.push(`${sizeText(events)} events: ${read.problem ?? `${read.events} came`}`)
    return { seconds: asked.seconds + read.seconds, events }
  }
  for (const usualSize of sizes) {
    const size = sized(usualSize, usual)
    const times = Math.max(1, Math.round(sized(eventsEach, usual) / size / repetitions))
    const made: Array<Stream> = []
    for (let turn = -1; turn < repetitions; turn++) {
      let seconds = 0
      for (let time = 0; time < Math.min(times, 500); time++) seconds += (await stream(size)).seconds
      // The first warms up.
      if (turn >= 0) made.push({ seconds, events: size * Math.min(times, 500) })
    }
    told.push([
      usualSize,
      toldFigure(
        `${sizeText(usualSize)} events: events per second`,
        "/s",
        made,
        ({ seconds, events }) => events / seconds
      )
    ])
  }
  const events = sized(1_000_000, usual)
  await growing.ask({ events })
  const before = (await growing.ask({ usage: true })).rssBytes
  await readers.ask({ port, waitWith: true })
  let held = before
  for (let same = 0; same < sameLooks; ) {
    await setTimeout(lookMs)
    const now = (await growing.ask({ usage: true })).rssBytes
    same = Math.abs(now - held) < mebibyte ? same + 1 : 0
    held = now
  }
  const read = await readers.ask({ readAll: true })
  if (read.problem !== null || read.events !== events)
    problems.push(`slow reader: ${read.problem ?? `${read.events} came`}`)
  growing.stop()
  readers.stop()
  const plot = {
    title: "Long streams",
    xLabel: "events of a stream",
    yLabel: "events per second",
    lines: [{ label: "one stream at a time", points: pointsOf(told) }]
  }
  const slow: Figure = {
    what: "slow reader of 1,000,000 events: process",
    value: (held - before) / mebibyte,
    unit: "MiB more",
    bar: { atMost: 32 }
  }
  return { how, figures: [...told.map(([, figure]) => figure), slow], problems, plots: { events: plot } }
}
