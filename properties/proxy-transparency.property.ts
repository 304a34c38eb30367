import fc from "fast-check"
import { expect, test } from "vitest"
import { joined } from "./arbitraries/framed-streams.ts"
import { plainScenes } from "./arbitraries/proxy-scenes.ts"
import { streamBytes } from "./arbitraries/proxy-streams.ts"
import { checkProperty } from "./check.ts"
import { playScene } from "./observation/play-proxy.ts"
import { hex, scenesOf } from "./observation/proxy-expected.ts"

// Seen to fail when the last one or two bytes of a tail are dropped, and when the end of a side is not handed on.
test("X1. with an empty plan each receiver gets what was sent to it, byte for byte, and its end behind that", () => {
  const property = fc.asyncProperty(plainScenes(), async (scene) => {
    const play = await playScene({ ...scene, tail: "forward" })

    for (const way of play.ways) {
      const { sent, receiver, destination } = way
      const all = hex(streamBytes(sent))
      if (scenesOf(play, way).sender?.ending === "end") {
        expect(hex(receiver.bytes())).toBe(all)
        expect(receiver.reports[0]).toBe("ended")
      } else {
        expect(receiver.reports).toEqual([])
        expect(all.startsWith(hex(receiver.bytes()))).toBe(true)
        const frames = joined([sent.head, ...sent.frames.map(({ bytes }) => bytes)]).length
        expect(receiver.bytes().length).toBeGreaterThanOrEqual(frames)
      }
      expect(destination()?.misdeeds).toEqual([])
      expect(way.report()).toMatchObject({ error: null })
    }
  })
  return checkProperty("X1 proxy", property)
})
