import { describe } from "vitest"
import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
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

/** Has the same tests in every world, and between every pair of kinds of sockets. */
export const inEverySetting = (what: string, tests: (setting: Setting) => void): void => {
  describe.each(worlds)(`${what}, $name`, ({ makeWorld, time }) => {
    describe.each(kinds)("from $kind to $upstreamKind", (pair) => tests({ makeWorld, time, kinds: pair }))
  })
}
