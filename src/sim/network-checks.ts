import {
  aName,
  listOf,
  members,
  milliseconds,
  type OptionCheck,
  type OptionChecks,
  share,
  whole,
  yesOrNo
} from "../domain/option-checks.ts"
import type { SegmentOptions } from "./byte-pair.ts"
import type { LinkFaults, LinkOptions } from "./link-conditions.ts"
import type { SimPairOptions } from "./transport-pairs.ts"

/** A check for every option of a type: an option that is added without one does not compile. */
export type ChecksOf<Options> = Readonly<Record<keyof Options, OptionCheck>>

/** A time that may have no end. */
export const forEver: OptionCheck = (value, path) =>
  value === Number.POSITIVE_INFINITY ? null : milliseconds(value, path)

const rate = share(0.5)
const faults: ChecksOf<LinkFaults> = { rst: rate, cut: rate, stall: rate, drop: rate, refuse: rate, lostConnect: rate }

/** What a network is like, be it that of a world or of two ends. */
export const linkChecks: ChecksOf<LinkOptions & SegmentOptions> = {
  latenciesMs: listOf(milliseconds, 1),
  distancesMs: listOf(milliseconds, 1),
  faults: members(faults),
  isSwarm: yesOrNo,
  stallsMs: listOf(forEver, 1),
  windowBytes: whole(1, 2 ** 31),
  segmentBytesMax: whole(1, 2 ** 31)
}

const pair: ChecksOf<SimPairOptions> & OptionChecks = { ...linkChecks, peer: aName }

/** The options of a pair of ends. */
export const pairCheck: OptionCheck = members(pair)
