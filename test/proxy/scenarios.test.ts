import { describe } from "vitest"
import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
import { delayScenarios } from "./scenarios/delays.ts"
import { endScenarios } from "./scenarios/ends.ts"
import { framingScenarios } from "./scenarios/framings.ts"
import { manyScenarios } from "./scenarios/many.ts"
import { placeScenarios } from "./scenarios/places.ts"
import { plainScenarios } from "./scenarios/plain.ts"
import { sizeScenarios } from "./scenarios/sizes.ts"
import type { Setting } from "./setting.ts"

const worlds: ReadonlyArray<Pick<Setting, "makeWorld" | "time"> & { readonly name: string }> = [
  { name: "live", makeWorld: liveStreamWorld, time: "unknown" },
  { name: "simulated", makeWorld: simStreamWorld(), time: "exact" },
  { name: "simulated, seed 1", makeWorld: simStreamWorld(seededChoice(1)), time: "at least" }
]

const kinds: ReadonlyArray<Setting["kinds"]> = [
  { kind: "unix", upstreamKind: "unix" },
  { kind: "tcp", upstreamKind: "tcp" },
  { kind: "unix", upstreamKind: "tcp" }
]

describe.each(worlds)("a proxy, $name", ({ makeWorld, time }) => {
  describe.each(kinds)("from $kind to $upstreamKind", (pair) => {
    const setting = { makeWorld, time, kinds: pair }
    plainScenarios(setting)
    delayScenarios(setting)
    sizeScenarios(setting)
    endScenarios(setting)
    placeScenarios(setting)
    manyScenarios(setting)
    framingScenarios(setting)
  })
})
