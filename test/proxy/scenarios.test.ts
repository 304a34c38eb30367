import { describe } from "vitest"
import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
import type { Kind } from "./proxy-world.ts"
import { plainScenarios } from "./scenarios/plain.ts"

const worlds = [
  { name: "live", make: liveStreamWorld },
  { name: "simulated", make: simStreamWorld() },
  { name: "simulated, seed 1", make: simStreamWorld(seededChoice(1)) }
]

const kinds: ReadonlyArray<{ readonly kind: Kind; readonly upstreamKind: Kind }> = [
  { kind: "unix", upstreamKind: "unix" },
  { kind: "tcp", upstreamKind: "tcp" },
  { kind: "unix", upstreamKind: "tcp" }
]

describe.each(worlds)("a proxy, $name", ({ make }) => {
  describe.each(kinds)("from $kind to $upstreamKind", (pair) => plainScenarios(make, pair))
})
