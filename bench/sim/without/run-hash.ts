import type { RunHash } from "../../../src/kernel/run-hash.ts"

/** A hash that hashes nothing, in the place of the kernel's. */
export const makeRunHash = (): RunHash => ({ number() {}, text() {}, digest: () => "" })
