import fc from "fast-check"
import { expect, test } from "vitest"
import { cuttingDeeds, faultPrograms, flowDeeds, ruleDeeds, timed } from "./arbitraries/proxy-programs.ts"
import { anyConnections, plainScenes, politeConnections } from "./arbitraries/proxy-scenes.ts"
import { checkProperty } from "./check.ts"
import { playScene } from "./observation/play-proxy.ts"
import { cameOf, deliveredBytes, expectedDelivery, hex, isUndisturbed } from "./observation/proxy-expected.ts"

const scenes = fc
  .tuple(
    plainScenes(fc.oneof(politeConnections, anyConnections)),
    faultPrograms(),
    fc.oneof(
      fc.constant([]),
      timed(flowDeeds),
      timed(fc.oneof(flowDeeds, ruleDeeds())),
      timed(fc.oneof(flowDeeds, cuttingDeeds)),
      timed(fc.oneof(flowDeeds, ruleDeeds(), cuttingDeeds))
    )
  )
  .map(([scene, plan, deeds]) => ({
    ...scene,
    plan,
    deeds,
    // Of a frame whose beginning has gone on nothing can be decided any more, so rules that come later may miss it.
    record:
      scene.record ||
      !scene.wire.hasFrames ||
      deeds.some(({ deed: { type } }) => type === "addRule" || type === "removeRule" || type === "setPlan")
  }))

test("X19. what receivers get follows from what was sent, the program and the seed alone", () => {
  const property = fc.asyncProperty(scenes, async (scene) => {
    const play = await playScene(scene)

    for (const way of play.ways) {
      const { receiver } = way
      const expected = expectedDelivery(play, way)
      const all = hex(deliveredBytes(expected))
      const written = hex(way.written())
      const rest = hex(cameOf(play, way).rest)
      expect(written.startsWith(hex(receiver.bytes()))).toBe(true)
      // Of a frame that is not complete some may have gone on.
      expect((all + rest).startsWith(written)).toBe(true)
      if (!isUndisturbed(play, way)) continue
      expect(written.startsWith(all)).toBe(true)
      if (expected.endedBy !== "sever" && expected.endedBy !== "reset") expect(hex(receiver.bytes())).toBe(written)
    }
  })
  return checkProperty("X19 proxy", property, { runs: 300 })
})
