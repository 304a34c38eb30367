import { describe, expect, it } from "vitest"
import type { FaultOptions } from "../../src/domain/fault-options.ts"
import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"
import { formats } from "../faults/voices/written.ts"
import { bodyIn } from "../faults/wire/on-the-wire.ts"
import { openWire } from "../faults/wire/wire-client.ts"
import { at, toldFaults } from "../support/fault-world.ts"
import { rawPost } from "../support/live-world.ts"

const paths = { chat: "chat/completions", responses: "responses", messages: "messages" }

/** What came of one exchange, how it ended, and how much of it the server says it sent. */
interface Seen {
  /** As Latin-1, so that half a character is seen. */
  readonly text: string
  readonly end: string
  readonly events: number
  readonly bytes: number
}

type Entry = readonly [behavior: string, options?: FaultOptions]

/** Runs each entry on a connection of its own, to the end; each is the first of its lane, so that all ids are the same. */
const run = async (
  format: FaultFormat,
  entries: ReadonlyArray<Entry>,
  { stream = true, ...texts }: FaultOptions & { readonly stream?: boolean } = {}
): Promise<ReadonlyArray<Seen>> => {
  const scripts = entries.map(([behavior, options = {}], lane) => [
    String(lane),
    { sequence: [{ behavior, options: { disconnectDelayMs: 0, ...texts, ...options } }] }
  ])
  const { server, tell } = await toldFaults({ lanes: { by: ["path"], scripts: Object.fromEntries(scripts) } })
  const seen: Array<Seen> = []
  for (const lane of entries.keys()) {
    const path = `/lanes/${lane}/v1/${paths[format]}`
    const client = openWire(server.port)
    client.write(rawPost(path, JSON.stringify({ model: "m", messages: [], stream }), ["connection: close"]))
    const { chunksSent: events, bytesSent: bytes = -1 } = await tell("result", lane + 1)
    await client.ended()
    const end = client.hasEnded() ? "FIN" : await client.closed()
    client.socket.destroy()
    seen.push({ text: bodyIn(client.received()).toString("latin1"), end, events, bytes })
  }
  return seen
}

const wide = { successText: "Grüße, 🌊 回復", chunkSize: 3 }
const ends = { fin: "FIN", rst: "ECONNRESET" } as const
const modes = ["fin", "rst"] as const

/** The places behind the events of a stream. */
const endsOf = (body: Buffer): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = body.indexOf("\n\n"); at >= 0; at = body.indexOf("\n\n", at + 2)) found.push(at + 2)
  return found
}

/** Every place inside a character of several bytes. */
const insideCharacters = (body: Buffer): ReadonlyArray<number> =>
  [...body.keys()].filter((at) => ((body[at] ?? 0) & 0xc0) === 0x80)

const isUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString("utf8")).equals(bytes)

/** The places behind the events that carry text. */
const textEndsOf = (good: Buffer): ReadonlyArray<number> =>
  endsOf(good).filter((end, at, all) => {
    const [event] = readEvents(good.subarray(all[at - 1] ?? 0, end).toString())
    return event !== undefined && event.data !== "[DONE]" && isText(JSON.parse(event.data))
  })

const isText = (payload: unknown): boolean =>
  /^(?:response\.output_text\.delta|content_block_delta)$/.test(String(at(payload, "type"))) ||
  Boolean(at(payload, "choices", 0, "delta", "content"))

/** The good answer as it comes over the wire, and then one that is cut in each of these ways. */
const cutsOf = async (
  format: FaultFormat,
  entries: ReadonlyArray<Entry>,
  options?: FaultOptions & { readonly stream?: boolean }
): Promise<{ readonly good: Buffer; readonly cuts: ReadonlyArray<Seen> }> => {
  const [good, ...cuts] = await run(format, [["success"], ...entries], options)
  return { good: Buffer.from(good?.text ?? "", "latin1"), cuts }
}

/** What a cut that leaves so many bytes has to look like. */
const cutAt = (good: Buffer, place: number, mode: "fin" | "rst"): Seen => {
  const body = good.subarray(0, place)
  return {
    text: body.toString("latin1"),
    end: ends[mode],
    events: readEvents(body.toString("utf8")).length,
    bytes: body.byteLength
  }
}

describe.each(formats)("a cut in %s", (format) => {
  for (const mode of modes) {
    it(`at an event leaves exactly so many, at most all, by ${mode}`, async () => {
      const counts = [0, 1, 2, 3, 4, 5, 10, 11, 12, 1_000]
      const { good, cuts } = await cutsOf(
        format,
        counts.map((cutAfterEvents) => ["cut_at_event", { cutAfterEvents, resetMode: mode }]),
        wide
      )

      const places = counts.map((count) => [0, ...endsOf(good)][count] ?? good.byteLength)
      expect(cuts).toEqual(places.map((place) => cutAt(good, place, mode)))
      expect([cuts[0]?.text, cuts.at(-1)?.text]).toEqual(["", good.toString("latin1")])
    })

    it(`at a byte leaves exactly so many, whatever they end in, by ${mode}`, async () => {
      const { good } = await cutsOf(format, [], wide)
      const behind = endsOf(good)
      const [first = 0, second = 0] = behind
      const places = [
        ...[0, 1, 5, 6, first - 3, first - 2, second + 1, second + 30],
        ...behind.flatMap((end) => [end - 1, end]),
        ...insideCharacters(good),
        ...[good.byteLength + 1, 2 * good.byteLength, 1_000_000]
      ]

      const { cuts } = await cutsOf(
        format,
        places.map((cutAfterBytes) => ["cut_at_byte", { cutAfterBytes, resetMode: mode }]),
        wide
      )

      expect(insideCharacters(good).length).toBeGreaterThan(8)
      expect(cuts).toEqual(places.map((place) => cutAt(good, place, mode)))
    })

    it(`inside a character leaves a part of it, by ${mode}`, async () => {
      for (const successText of ["é", "Grüße", "plain, and then 🌊", "回復回復"]) {
        for (const chunkSize of [1, 2, 100]) {
          const { good, cuts } = await cutsOf(format, [["cut_in_character"]], {
            successText,
            chunkSize,
            resetMode: mode
          })

          expect(cuts).toEqual([cutAt(good, insideCharacters(good)[0] ?? -1, mode)])
          expect(cuts.map(({ text }) => isUtf8(Buffer.from(text, "latin1")))).toEqual([false])
        }
      }
    })

    it(`before the blank line of the last text leaves its whole line, by ${mode}`, async () => {
      for (const successText of ["x", "three words here", "Grüße, 🌊"]) {
        for (const chunkSize of [1, 5, 100]) {
          const options = { successText, chunkSize, resetMode: mode }
          const { good, cuts } = await cutsOf(format, [["cut_before_blank_line"]], options)

          const end = textEndsOf(good).at(-1) ?? 0
          expect(cuts).toEqual([cutAt(good, end - 1, mode)])
          expect(good.subarray(end - 2, end).toString()).toBe("\n\n")
        }
      }
    })

    it(`before the last event leaves all the others, by ${mode}`, async () => {
      for (const options of [wide, { successText: "x" }, { successText: "twelve pieces", chunkSize: 1 }]) {
        const { good, cuts } = await cutsOf(format, [["cut_before_done", { resetMode: mode }]], options)

        const last = readEvents(good.toString("utf8")).at(-1)
        expect(cuts).toEqual([cutAt(good, endsOf(good).at(-2) ?? -1, mode)])
        expect(JSON.stringify(last)).toMatch(/\[DONE\]|response\.completed|message_stop/)
      }
    })

    it(`of a JSON reply leaves exactly so many bytes of what was announced, never all, by ${mode}`, async () => {
      const options = { ...wide, stream: false, resetMode: mode }
      const { good } = await cutsOf(format, [], options)
      const half = Math.floor(good.byteLength / 2)
      const places = [0, 1, half, ...insideCharacters(good), good.byteLength - 1, good.byteLength, good.byteLength + 1]

      const { cuts } = await cutsOf(
        format,
        [
          ...places.map((cutAfterBytes): Entry => ["cut_at_byte", { cutAfterBytes }]),
          ...["cut_at_event", "cut_in_character", "cut_before_blank_line", "cut_before_done"].map(
            (name): Entry => [name]
          )
        ],
        options
      )

      const named = [half, insideCharacters(good)[0] ?? -1, good.byteLength - 1, good.byteLength - 1]
      const most = good.byteLength - 1
      expect(cuts).toEqual(
        [...places, ...named].map((place) => ({ ...cutAt(good, Math.min(place, most), mode), events: 0 }))
      )
    })
  }
})

const beBusy = (): void => {
  const until = performance.now() + 20
  while (performance.now() < until);
}

describe("a reset", () => {
  it("is seen as one by a client of the same process that was too busy to read before", async () => {
    const { server } = await toldFaults({
      sequence: ["cut_in_character:rst"],
      repeatLast: true,
      disconnectDelayMs: 0,
      onEvent({ type }) {
        // Behind the beginning of the gap before the reset, and longer than that.
        if (type === "result") process.nextTick(() => process.nextTick(beBusy))
      }
    })
    for (let round = 0; round < 5; round++) {
      const client = openWire(server.port)
      client.write(rawPost("/v1/chat/completions", JSON.stringify({ model: "m", stream: true })))
      await client.ended()

      expect(client.hasEnded()).toBe(false)
      expect(await client.closed()).toBe("ECONNRESET")
      expect(client.received().byteLength).toBeGreaterThan(100)
    }
  })
})
