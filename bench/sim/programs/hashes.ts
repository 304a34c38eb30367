import { createHash } from "node:crypto"
import type { SimOptions } from "../../../src/sim.ts"
import { racingNetwork, racingSdks } from "./racing-sdks.ts"
import { realParsers, tinySegments } from "./real-parsers.ts"
import { type ClientsProgram, runOnce } from "./run-once.ts"

/** The programs whose hashes are compared. */
export const hashedPrograms = {
  sdks: { title: "two SDKs", program: racingSdks, options: racingNetwork },
  parsers: { title: "real parsers, tiny segments", program: realParsers, options: tinySegments }
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly program: ClientsProgram; readonly options: SimOptions }>
>

export type HashedProgram = keyof typeof hashedPrograms

/** What a process or a thread of its own is asked for. */
export interface DigestOrder {
  readonly program: HashedProgram
  readonly seeds: number
}

export const hashOf = async (name: HashedProgram, seed: number): Promise<string> => {
  const { program, options } = hashedPrograms[name]
  return (await runOnce(program, options, seed)).hash
}

/** One word for the runs of many seeds; `isReversed` makes them in the other order. */
export const digestOf = async (
  { program, seeds }: DigestOrder,
  { isReversed = false }: { readonly isReversed?: boolean } = {}
): Promise<string> => {
  const hashes: Array<string> = []
  for (let index = 0; index < seeds; index++) {
    const seed = isReversed ? seeds - 1 - index : index
    hashes[seed] = await hashOf(program, seed)
  }
  return createHash("sha256").update(hashes.join("\n")).digest("hex")
}
