import fc from "fast-check"
import { expect, test } from "vitest"
import type { ActionSource, PlanSource } from "../src/proxy/plan/plan-source.ts"
import { frame } from "../test/proxy/proxy-world.ts"
import { playTimed, sentBytes, type TimedFrame, type TimedPiece, type TimedScene } from "../test/proxy/timed-frames.ts"
import { checkProperty } from "./check.ts"

/* Faults of time and pace, of which docs/proxy.md says what they are, on a machine on which nothing else takes time. */

const headerBytes = 4

/** Frames in the order of their times, and the place of one of them. */
const scenes = fc
  .record({
    frames: fc.array(fc.record({ atMs: fc.nat(60), body: fc.uint8Array({ maxLength: 20 }) }), {
      minLength: 1,
      maxLength: 6
    }),
    share: fc.nat(999),
    direction: fc.constantFrom("clientToLeader", "leaderToClient"),
    seed: fc.nat(0xffff),
    kind: fc.constantFrom("unix", "tcp")
  })
  .map(({ frames, share, ...rest }) => ({
    ...rest,
    frames: [...frames].sort((one, other) => one.atMs - other.atMs),
    place: Math.floor((share * frames.length) / 1_000)
  }))

type Scene = Omit<TimedScene, "plan"> & { readonly place: number }

const planOf = ({ direction, place }: Scene, ...actions: ReadonlyArray<ActionSource>): PlanSource => ({
  rules: actions.map((action) => ({ direction, match: { index: place + 1 }, action }))
})

const bytesOf = (came: ReadonlyArray<TimedPiece>): string =>
  Buffer.concat(came.map(({ bytes }) => bytes)).toString("hex")

const hexOf = (frames: ReadonlyArray<TimedFrame>): string => sentBytes(frames).toString("hex")

/** When the last byte of each frame came, where all of them are as they were sent. */
const endsOf = (
  frames: ReadonlyArray<TimedFrame>,
  came: ReadonlyArray<TimedPiece>
): ReadonlyArray<number | undefined> => {
  let end = 0
  return frames.map(({ body }) => {
    end += headerBytes + body.length
    let bytes = 0
    return came.find((piece) => {
      bytes += piece.bytes.length
      return bytes >= end
    })?.atMs
  })
}

// Seen to fail when there is no latency, and when jitter is not drawn or may be more than it says.
test("X5. latency keeps a frame for its time and a jitter within its range, and those behind it no longer", async () => {
  const latencies = fc.record({ ms: fc.nat(50), jitterMs: fc.nat(30) })
  const jitters = new Set<number>()
  const property = fc.asyncProperty(scenes, latencies, async (scene, { ms, jitterMs }) => {
    const { frames, place } = scene
    const plan = planOf(scene, { type: "latency", ms, jitterMs })
    const { came, stop } = await playTimed({ ...scene, plan })

    expect(bytesOf(came)).toBe(hexOf(frames))
    const ends = endsOf(frames, came)
    const sentMs = frames[place]?.atMs ?? 0
    const keptMs = (ends[place] ?? Number.NaN) - sentMs
    expect(keptMs).toBeGreaterThanOrEqual(ms)
    expect(keptMs).toBeLessThanOrEqual(ms + jitterMs)
    if (jitterMs > 0) jitters.add(keptMs - ms)
    for (const [other, { atMs }] of frames.entries())
      expect(ends[other]).toBe(other < place ? atMs : Math.max(atMs, sentMs + keptMs))
    // Chance is that of the seed.
    const again = await playTimed({ ...scene, plan })
    expect(again.came).toEqual(came)
    await stop()
    await again.stop()
  })
  await checkProperty("X5 latency", property)
  if (process.env["REPLAY"] === undefined && process.env["RUNS"] === undefined) expect(jitters.size).toBeGreaterThan(10)
})

// Seen to fail when nothing is read while a frame is delayed, and when what is read then is taken to have come later.
test("X5. what has latency all along keeps its distances: each frame comes when it was sent and so long after", async () => {
  const latencies = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(30))
  const property = fc.asyncProperty(scenes, latencies, async (scene, [ms, jitterMs]) => {
    const { frames, direction } = scene
    const latency = { direction, action: { type: "latency", ms, jitterMs } as const }
    const { came, stop } = await playTimed({ ...scene, plan: { rules: [latency] } })

    expect(bytesOf(came)).toBe(hexOf(frames))
    let beforeMs = 0
    for (const [place, end] of endsOf(frames, came).entries()) {
      const sentMs = frames[place]?.atMs ?? 0
      expect(end).toBeGreaterThanOrEqual(Math.max(beforeMs, sentMs + ms))
      expect(end).toBeLessThanOrEqual(Math.max(beforeMs, sentMs + ms + jitterMs))
      beforeMs = end ?? Number.NaN
    }
    await stop()
  })
  await checkProperty("X5 latencies", property)
})

// Seen to fail when there is no throttle, and one that is ten times too slow.
test("X5. throttle lets no byte go before its turn, and none wait much longer", async () => {
  const property = fc.asyncProperty(scenes, fc.integer({ min: 100, max: 20_000 }), async (scene, bytesPerSecond) => {
    const { frames, direction } = scene
    const plan = { rules: [{ direction, action: { type: "throttle", bytesPerSecond } as const }] }
    const { came, stop } = await playTimed({ ...scene, plan })

    expect(bytesOf(came)).toBe(hexOf(frames))
    // The turns of a frame begin with it, and behind those of the frame before it.
    let turnsMs = Number.NEGATIVE_INFINITY
    let from = 0
    for (const { atMs, body } of frames) {
      const startMs = Math.max(atMs, turnsMs)
      const size = headerBytes + body.length
      for (const { before, atMs: pieceMs } of piecesWithin(came, from, from + size)) {
        expect(pieceMs - startMs + 1e-6).toBeGreaterThanOrEqual((before * 1_000) / bytesPerSecond)
      }
      turnsMs = startMs + (size * 1_000) / bytesPerSecond
      from += size
    }
    // What comes while others have their turns is read a fraction of a millisecond later.
    const [last] = endsOf(frames, came).slice(-1)
    expect(last ?? Number.NaN).toBeLessThanOrEqual(turnsMs + frames.length)
    await stop()
  })
  await checkProperty("X5 throttle", property)
})

/** Each piece of a stretch of what came: how many bytes of the stretch had come with it, and when. */
const piecesWithin = (came: ReadonlyArray<TimedPiece>, from: number, to: number) => {
  let end = 0
  return came.flatMap(({ atMs, bytes }) => {
    const start = end
    end += bytes.length
    return end <= from || start >= to ? [] : [{ before: Math.min(end, to) - from, atMs }]
  })
}

// Seen to fail when nothing is split, and when the last size is not repeated.
test("X4. splitWrites writes a frame in the pieces that it says, each copy by itself, and others whole", async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })
  const property = fc.asyncProperty(
    scenes,
    sizes,
    fc.integer({ min: 1, max: 2 }),
    async (scene, chunkSizes, copies) => {
      const { frames, place } = scene
      const copying: ReadonlyArray<ActionSource> = copies === 1 ? [] : [{ type: "duplicate", copies }]
      const plan = planOf(scene, { type: "splitWrites", chunkSizes }, ...copying)
      const apart = frames.map((one, at) => ({ ...one, atMs: at * 10 }))
      const { came, stop } = await playTimed({ ...scene, frames: apart, plan })

      const expected = apart.flatMap(({ body }, at) => {
        const whole = headerBytes + body.length
        return at === place ? Array.from({ length: copies }, () => cutSizes(whole, chunkSizes)).flat() : [whole]
      })
      expect(came.map(({ bytes }) => bytes.length)).toEqual(expected)
      await stop()
    }
  )
  await checkProperty("X4 splitWrites", property)
})

const cutSizes = (whole: number, sizes: ReadonlyArray<number>): ReadonlyArray<number> => {
  const cut: Array<number> = []
  for (let left = whole; left > 0; left -= cut.at(-1) ?? left)
    cut.push(Math.min(left, sizes[Math.min(cut.length, sizes.length - 1)] ?? left))
  return cut
}

// Seen to fail when hold does nothing, and when stall does.
test("X5. hold keeps a frame until it is released, stall what is behind one until it is resumed", async () => {
  const waits = fc.record({ isHeld: fc.boolean(), delayMs: fc.nat(40) })
  const property = fc.asyncProperty(scenes, waits, async (scene, { isHeld, delayMs }) => {
    const { frames, direction, place } = scene
    const hold: ReadonlyArray<ActionSource> = [
      { type: "hold", barrier: "go" },
      { type: "delay", ms: delayMs }
    ]
    const plan = planOf(scene, ...(isHeld ? hold : (["stall"] as const)))
    const { came, proxy, nowMs, quiet, stop } = await playTimed({ ...scene, plan })

    expect(bytesOf(came)).toBe(hexOf(frames.slice(0, isHeld ? place : place + 1)))
    expect(proxy.held().map(({ index }) => index)).toEqual(isHeld ? [place + 1] : [])
    const releasedMs = nowMs()
    if (isHeld) proxy.release("go")
    else proxy.resume(direction)
    await quiet()
    expect(bytesOf(came)).toBe(hexOf(frames))
    if (isHeld) expect(endsOf(frames, came)[place]).toBe(releasedMs + delayMs)
    await stop()
  })
  await checkProperty("X5 hold", property)
})

const answer = frame("back")

// Seen to fail when a reset only closes, when vanish leaves the way back open, and when halfClose lets later frames through.
test("X7. behind a frame that ends its connection nothing comes, and each side sees what the rule says", async () => {
  const endings = fc.constantFrom("halfClose", "vanish", "reset")
  const property = fc.asyncProperty(scenes, endings, async (scene, ending) => {
    const { frames, place, kind } = scene
    const { came, proxy, receiver, sender, quiet, stop } = await playTimed({ ...scene, plan: planOf(scene, ending) })

    const all = hexOf(frames.slice(0, place + 1))
    // A reset may overtake what is under way.
    if (ending === "reset") expect(all.startsWith(bytesOf(came))).toBe(true)
    else expect(bytesOf(came)).toBe(all)
    // A Unix socket knows no reset, but for one that is closed before all was read.
    const cut = kind === "tcp" ? ["closed ECONNRESET"] : ["closed ECONNRESET", "ended"]
    const first = [receiver, sender].map(({ reports }) => reports[0])
    if (ending === "reset") for (const report of first) expect(cut).toContain(report)
    else expect(first).toEqual([ending === "halfClose" ? "ended" : undefined, undefined])
    expect(proxy.totals()).toMatchObject({ severed: ending === "reset" ? 1 : 0 })
    // The way back is open behind a halfClose alone.
    void receiver.write(answer)
    await quiet()
    expect(sender.received()).toBe(ending === "halfClose" ? answer.length : 0)
    await stop()
  })
  await checkProperty("X7 endings", property)
})
