import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cutters, framedStreams, joined, writtenFramings } from "../../properties/arbitraries/framed-streams.ts"
import { checkProperty } from "../../properties/check.ts"
import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import { openFraming } from "../../src/proxy/framing/open-framing.ts"
import type { Direction } from "../../src/proxy/plan/fault-program.ts"
import type { FramingChoice } from "../../src/proxy/proxy-options.ts"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { connect, right, type WatchedSocket } from "../ports/stream-world.ts"
import { frame, type Kind, over, proxyRun } from "./proxy-world.ts"

/** No body is longer. */
const limitBytes = 1_000
const chunkBytes = 65_536
const streams = fc.tuple(framedStreams(writtenFramings), cutters, cutters)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** All that comes to a socket, and the most that it had more of than was counted, whenever something came. */
const counted = (
  socket: WatchedSocket,
  {
    proxy,
    direction,
    choice
  }: { readonly proxy: FaultProxy; readonly direction: Direction; readonly choice: FramingChoice }
) => {
  const reader = openFraming(choice).open()[direction]
  const chunks: Array<Uint8Array> = []
  let frames = 0
  let uncounted = 0
  socket.heard((chunk) => {
    const bytes = chunk.slice()
    chunks.push(bytes)
    reader.feed(bytes)
    for (let part = reader.next(any); part !== null; part = reader.next(any)) frames += part.frames
    uncounted = Math.max(uncounted, frames - proxy.forwarded(direction))
  })
  return { hex: () => hex(joined(chunks)), frames: () => frames, uncounted: () => uncounted }
}

const any = { most: Number.POSITIVE_INFINITY, isWhole: false }

/** Writes pieces one behind the other, and ends. */
const send = async (socket: WatchedSocket, pieces: ReadonlyArray<Uint8Array>): Promise<void> => {
  for (const piece of pieces) await socket.write(piece)
  socket.socket.end()
}

const kinds: ReadonlyArray<{ readonly kind: Kind; readonly upstreamKind: Kind }> = [
  { kind: "unix", upstreamKind: "unix" },
  { kind: "tcp", upstreamKind: "tcp" }
]

/** What is left of a proxy and its sockets. */
const leftOf = ({ supervisor, timers }: Awaited<ReturnType<typeof proxyRun>>) => [supervisor.alive(), timers()]

const rulesFor = {
  idle: [],
  stuck: [],
  delayed: [{ action: { type: "delay", ms: 60_000 } }],
  held: [{ action: { type: "hold", barrier: "b" } }]
} as const

describe.each(kinds)("on real sockets, from $kind to $upstreamKind", (pair) => {
  const name = (law: string): string => `live ${law}, ${pair.kind}`

  // Seen to hang when the end of a side is not handed on.
  test("X1, X3, X15. bytes go through as they are, both ways at once; frames are counted before they are seen; ends are handed on", () => {
    const property = fc.asyncProperty(streams, async ([{ framing, frames }, cutAsked, cutAnswered]) => {
      const choice = framing.choice(limitBytes)
      const { proxy, through } = await proxyRun(liveStreamWorld(), { ...pair, framing: choice })
      const { client, upstream } = await through()
      const asked = joined([...frames, framing.write(new Uint8Array(9)).subarray(0, -1)])
      const answered = joined([...frames].reverse())
      const atUpstream = counted(upstream, { proxy, direction: "clientToLeader", choice })
      const atClient = counted(client, { proxy, direction: "leaderToClient", choice })

      await Promise.all([
        send(client, cutAsked(asked)),
        send(upstream, cutAnswered(answered)),
        client.closed,
        upstream.closed
      ])

      expect([atUpstream.hex(), atClient.hex()]).toEqual([hex(asked), hex(answered)])
      expect([atUpstream.uncounted(), atClient.uncounted()]).toEqual([0, 0])
      expect([atUpstream.frames(), proxy.forwarded("clientToLeader")]).toEqual([frames.length, frames.length])
      expect([client.reports, upstream.reports]).toEqual([
        ["ended", "closed null"],
        ["ended", "closed null"]
      ])
      await proxy.stop()
    })
    return checkProperty(name("X1"), property, { runs: 25 })
  })

  // Seen to fail when a whole header is the prefix of a severed frame, and to hang when indexes count from 0.
  test("X4, X6. one frame is dropped, doubled or severed, and the others are as they were", () => {
    const faults = fc.constantFrom("dropFrame" as const, "duplicateFrame" as const, "severMidFrame" as const)
    const index = fc.integer({ min: 1, max: 4 })
    const property = fc.asyncProperty(streams, faults, index, async ([{ framing, frames, bodies }, cut], fault, n) => {
      const { proxy, through } = await proxyRun(liveStreamWorld(), {
        ...pair,
        framing: framing.choice(limitBytes),
        plan: { [fault]: n }
      })
      const { client, upstream } = await through()
      const seen = counted(upstream, { proxy, direction: "clientToLeader", choice: "opaque" })
      const hit = frames[n - 1]

      void send(client, cut(joined(frames)))
      await over(upstream)

      const rest = frames.slice(n)
      const header = framing.header(bodies[n - 1]?.length ?? 0).length
      const half = Math.max(1, Math.floor((header === 0 ? (hit?.length ?? 0) : header) / 2))
      const instead = {
        dropFrame: rest,
        duplicateFrame: hit === undefined ? [] : [hit, hit, ...rest],
        severMidFrame: hit === undefined ? [] : [hit.subarray(0, Math.min(half, hit.length - 1))]
      }
      expect(seen.hex()).toBe(hex(joined([...frames.slice(0, n - 1), ...instead[fault]])))
      await proxy.stop()
    })
    return checkProperty(name("X4"), property, { runs: 25 })
  })

  // Seen to fail when a cut leaves the pumps as they are, and to hang when it leaves the socket of the upstream open.
  test("X7, X16. cut or stopped while a frame waits or a write is stuck: both sides are closed, nothing comes, nothing is left", () => {
    const whats = fc.record({
      waits: fc.constantFrom("idle" as const, "delayed" as const, "held" as const, "stuck" as const),
      ends: fc.constantFrom("severNow", "severConnection", "stop")
    })
    const property = fc.asyncProperty(whats, async ({ waits, ends }) => {
      const isStuck = waits === "stuck"
      const world = liveStreamWorld()
      const run = await proxyRun(world, { ...pair, plan: { rules: rulesFor[waits] }, isUpstreamPaused: isStuck })
      const { proxy, through } = run
      const { client, upstream } = await through()
      if (waits !== "idle") void client.write(frame(new Uint8Array(isStuck ? 8 * 1_024 * 1_024 : 10)))
      // Something goes the other way until the frame has come so far.
      for (let pings = 1; waits !== "idle" && proxy.connections()[0]?.clientToLeader.buffered === 0; pings++) {
        await upstream.write(frame(""))
        await client.has(pings * frame("").length)
      }
      const before = upstream.received()

      if (ends === "stop") await proxy.stop()
      else
        expect(ends === "severNow" ? proxy.severNow() : proxy.severConnection(1)).toBe(ends === "severNow" ? 1 : true)

      await over(client)
      if (isStuck) upstream.socket.destroy()
      await over(upstream)
      if (!isStuck) expect(upstream.received()).toBe(before)
      await proxy.stop()
      expect(leftOf(run)).toEqual([0, 0])
      if (proxy.address.kind === "unix") expect(world.isThere(proxy.address.path)).toBe(false)
      const failed = await connect(world.streams, proxy.address)
      expect(() => right(failed)).toThrow()
    })
    return checkProperty(name("X7"), property, { runs: 20 })
  })

  // Seen to fail when a pump goes on reading while its write waits.
  test("X12. who does not read stops the sender: no more is kept than a frame and a chunk, or two chunks of those that no rule is about", () => {
    const sizes = fc.array(fc.integer({ min: 2_000_000, max: 2_500_000 }), { minLength: 16, maxLength: 20 })
    const property = fc.asyncProperty(sizes, fc.boolean(), async (sizes, isWhole) => {
      const plan = { rules: isWhole ? [{ action: { type: "delay", ms: 0 } } as const] : [] }
      const { proxy, through, mostBuffered } = await proxyRun(liveStreamWorld(), {
        ...pair,
        plan,
        isUpstreamPaused: true
      })
      const { client, upstream } = await through()
      let left = 0
      const sent = Promise.all(sizes.map((size) => client.write(frame(new Uint8Array(size))).then(() => (left += 1))))
      for (let pings = 1; pings <= 20; pings++) {
        await upstream.write(frame(""))
        await client.has(pings * frame("").length)
      }
      expect(left).toBeLessThan(sizes.length)

      upstream.socket.resume()
      await sent
      await upstream.has(sizes.reduce((sum, size) => sum + frame("").length + size, 0))

      const bound = isWhole ? Math.max(...sizes) + 4 + chunkBytes : 2 * chunkBytes
      expect(mostBuffered.clientToLeader).toBeLessThanOrEqual(bound)
      expect(proxy.forwarded("clientToLeader")).toBe(sizes.length)
      await proxy.stop()
    })
    return checkProperty(name("X12"), property, { runs: 5 })
  })
})
