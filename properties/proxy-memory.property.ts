import fc from "fast-check"
import { expect, test } from "vitest"
import { directions } from "../src/proxy/plan/fault-program.ts"
import { headedFramings, joined } from "./arbitraries/framed-streams.ts"
import { faultPrograms, flowDeeds, timed } from "./arbitraries/proxy-programs.ts"
import { endScenes, type ProxyScene, plainScenes, politeConnections } from "./arbitraries/proxy-scenes.ts"
import { framedWires, type ProxyWire, writtenWire } from "./arbitraries/proxy-streams.ts"
import { checkProperty } from "./check.ts"
import { type PlayedWay, type ProxyPlay, playScene, setUpScene } from "./observation/play-proxy.ts"
import { hex } from "./observation/proxy-expected.ts"

const longest = (all: ReadonlyArray<{ readonly bytes: Uint8Array }>): number =>
  all.reduce((most, { bytes }) => Math.max(most, bytes.length), 0)

/** Bytes that have come to the proxy and not left it. */
const keptOf = (way: PlayedWay): number => (way.source()?.heardBytes ?? 0) - (way.destination()?.leftBytes ?? 0)

/** The most that the proxy kept of each way, as it says itself and as its sockets say. */
const mostKept = () => {
  const most = new Map<PlayedWay, { kept: number; said: number }>()
  return {
    of: (way: PlayedWay) => most.get(way) ?? { kept: 0, said: 0 },
    look({ ways, stage }: ProxyPlay) {
      const reports = stage.proxy.connections()
      for (const way of ways) {
        const { kept, said } = most.get(way) ?? { kept: 0, said: 0 }
        const report = reports.find(({ id }) => id === way.connection)?.[way.direction]
        most.set(way, { kept: Math.max(kept, keptOf(way)), said: Math.max(said, report?.buffered ?? 0) })
      }
    }
  }
}

/** Those of which nothing is lost, doubled or put in. */
const losesNothing = (plan: unknown): boolean =>
  !/"(drop|sever|truncateBody|badLength|duplicate|inject|halfClose|vanish|reset)"/.test(JSON.stringify(plan))

/** Behind a frame that is delayed so much more is read. */
const laterBytes = (plan: unknown): number => (/"(delay|latency)"/.test(JSON.stringify(plan)) ? 65_536 : 0)

/** Of frames that change places two are there. */
const framesKept = (plan: unknown): number => (/"reorder"/.test(JSON.stringify(plan)) ? 2 : 1)

// Seen to fail when a pump reads on while its write waits, or while its frame is delayed, and when it says twice of what it keeps.
test("X12. of a direction no more is kept than its longest frame and a chunk, whoever is slow", () => {
  const scenes = fc
    .tuple(
      plainScenes(politeConnections, framedWires),
      faultPrograms({ without: ["cutting", "silencing"] }).map((plan) => (losesNothing(plan) ? plan : {})),
      timed(flowDeeds)
    )
    .map(([scene, plan, deeds]): ProxyScene => ({ ...scene, plan, deeds }))
  const property = fc.asyncProperty(scenes, async (scene) => {
    const seen = mostKept()
    const { ways } = await playScene(scene, seen.look)

    for (const way of ways) {
      // A web socket's client may wait for the answer to its head: a frame is all that it sends then.
      if (way.sent.head.length > 0) continue
      const frame = longest([...way.sent.frames, { bytes: way.sent.tail }])
      const bound = framesKept(scene.plan) * frame + longest(way.source()?.heard ?? []) + laterBytes(scene.plan)
      const { kept, said } = seen.of(way)
      expect(kept).toBeLessThanOrEqual(bound)
      expect(said).toBeLessThanOrEqual(bound)
    }
  })
  return checkProperty("X12 proxy", property)
})

/** No chunk is longer than what may be under way. */
const chunkBytes = 8_192

const large: ProxyWire = {
  ...writtenWire({
    choice: () => "lengthPrefixed",
    bytesMax: chunkBytes * 4,
    header: (bodyBytes) => {
      const header = Buffer.alloc(4)
      header.writeUInt32BE(bodyBytes)
      return header
    },
    write: (body) => {
      const header = Buffer.alloc(4)
      header.writeUInt32BE(body.length)
      return Buffer.concat([header, body])
    }
  }),
  choice: "lengthPrefixed"
}

// Seen to fail when a pump reads on while its write waits.
test("X12. a receiver that does not read stops the sender, and severNow ends both all the same", () => {
  const sizes = fc.array(fc.nat(chunkBytes * 3), { minLength: 12, maxLength: 20 })
  const property = fc.asyncProperty(
    endScenes("stay"),
    sizes,
    fc.boolean(),
    fc.nat(),
    async (end, sizes, record, seed) => {
      const bodies = [...sizes, chunkBytes * 3].map((size) => new Uint8Array(size))
      const client = {
        ...end,
        cut: (bytes: Uint8Array) => [bytes],
        raw: { ...end.raw, bodies, tailBytes: 0 },
        turnsMs: []
      }
      const upstream = { ...end, raw: { ...end.raw, bodies: [], tailBytes: 0 }, turnsMs: [0] }
      const seen = mostKept()
      const play = await setUpScene({
        wire: large,
        connections: [{ afterMs: 0, client, upstream }],
        plan: {},
        deeds: [],
        seed: 1,
        tail: "forward",
        record,
        world: { seed, windowBytes: chunkBytes }
      })
      play.stage.settle(() => seen.look(play))

      const [way] = play.ways
      if (way === undefined) throw new Error("there is no connection")
      const all = way.sent.frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
      const bound = (record ? longest(way.sent.frames) : chunkBytes) + chunkBytes
      expect(seen.of(way).kept).toBeLessThanOrEqual(bound)
      expect(seen.of(way).said).toBeLessThanOrEqual(bound)
      // What is not kept waits in the two windows, or with its sender.
      expect(way.source()?.heardBytes).toBeLessThanOrEqual(bound + 2 * chunkBytes)
      expect(way.source()?.heardBytes).toBeLessThan(all)
      expect(play.stage.proxy.severNow()).toBe(1)
      play.letGo()
      expect([way.sender.isOpen(), play.stage.proxy.totals().closed]).toEqual([false, 1])
    }
  )
  return checkProperty("X12 stuck receiver", property, { runs: 25 })
})

// Seen to fail when a pump goes on reading behind a frame that is refused.
test("X13. a frame that is too long ends its connection when its header has come, and no other; what came before it is delivered", () => {
  const limited = headedFramings.map((framing) => {
    const limit = Math.min(framing.bytesMax, 201) - 1
    const wire = writtenWire(framing)
    const fitting = (bodies: ReadonlyArray<Uint8Array>) => bodies.map((body) => body.subarray(0, limit))
    return {
      headerBytes: framing.header(limit + 1).length,
      wire: {
        ...wire,
        choice: framing.choice(limit),
        write: (raw: Parameters<ProxyWire["write"]>[0], direction: Parameters<ProxyWire["write"]>[1]) => ({
          ...wire.write({ ...raw, bodies: fitting(raw.bodies) }, direction),
          // A tail that is a header of too much, with some of the body behind it.
          tail: raw.tailBytes % 2 === 0 ? new Uint8Array() : framing.write(new Uint8Array(limit + 1))
        })
      }
    }
  })
  const property = fc.asyncProperty(
    limited,
    plainScenes(politeConnections),
    fc.nat(80),
    async ({ wire, headerBytes }, plain, odd) => {
      const [bad, ...good] = plain.connections
      const scene = {
        ...plain,
        wire,
        connections: [
          ...(bad === undefined
            ? []
            : [{ ...bad, client: tailed(bad.client, 2 * odd + 1), upstream: tailed(bad.upstream, 0) }]),
          ...good.map((connection) => ({
            ...connection,
            client: tailed(connection.client, 0),
            upstream: tailed(connection.upstream, 0)
          }))
        ]
      }
      const seen = mostKept()
      const { ways, stage } = await playScene(scene, seen.look)

      const [way] = ways
      if (way === undefined) throw new Error("there is no connection")
      const frames = joined(way.sent.frames.map(({ bytes }) => bytes))
      expect(hex(way.written())).toBe(hex(frames))
      expect(way.report().error).toContain("at most")
      expect(way.report().received).toBe(way.sent.frames.length)
      expect(stage.proxy.totals().frameErrors).toBe(1)
      for (const end of [way.sender, way.receiver]) expect(end.reports).not.toEqual([])
      for (const other of ways.slice(2)) {
        expect(other.report().error).toBeNull()
        expect(hex(other.receiver.bytes())).toBe(hex(joined(other.sent.frames.map(({ bytes }) => bytes))))
      }
      const bound = Math.max(headerBytes, longest(way.sent.frames)) + longest(way.source()?.heard ?? [])
      expect(seen.of(way).said).toBeLessThanOrEqual(bound)
      for (const direction of directions) expect(stage.proxy.connections()[0]?.[direction].buffered).toBe(0)
    }
  )
  return checkProperty("X13 proxy", property)
})

const tailed = <End extends { readonly raw: { readonly tailBytes: number } }>(end: End, tailBytes: number): End => ({
  ...end,
  raw: { ...end.raw, tailBytes }
})
