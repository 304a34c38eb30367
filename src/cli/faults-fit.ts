import { basename } from "node:path"
import { InvalidOption } from "../domain/errors.ts"
import { fitProfile } from "../faults/chance/fit-profile.ts"
import { say } from "./command.ts"
import type { CommandIo } from "./command-io.ts"
import { linesOfFile } from "./faults-file.ts"
import { fitOptions as table } from "./faults-options.ts"
import type { GivenOptions } from "./option-table.ts"

/**
 * Writes the measured profile of recorded results as JSON; what it is worth is told on stderr.
 *
 * **Fails** with `InvalidOption`, naming the file
 * **Source** fault-server.md, section 9.5, point 3
 *
 * @since 0.1.0
 * @category running
 */
export const fit = async (file: string, given: GivenOptions, io: CommandIo): Promise<number> => {
  const window = given.value(table.window)
  const profile = fitted(file, {
    name: given.value(table.name) ?? basename(file).replace(/\.[^.]*$/, ""),
    source: given.value(table.source) ?? basename(file),
    window: window ?? "not stated"
  })
  if (profile.kind !== "measured") throw new Error("a fitted profile is measured")
  const rare = (profile.evidence ?? []).filter(({ isRare }) => isRare).map(({ behavior }) => behavior)
  const notes = [
    `${profile.requests} results, ${profile.weights.length} behaviours`,
    ...(rare.length === 0 ? [] : [`seen too seldom to say much: ${rare.join(", ")}`]),
    ...(window === undefined ? ["the period is not stated; say --window, for example 2026-06"] : [])
  ]
  io.stderr.write(notes.map((note) => `understudy: ${note}\n`).join(""))
  return say(io, `${JSON.stringify(profile, null, 2)}\n`)
}

const fitted = (file: string, options: Parameters<typeof fitProfile>[1]) => {
  try {
    return fitProfile(linesOfFile(file), options)
  } catch (error) {
    if (!(error instanceof InvalidOption) || error.message.includes(JSON.stringify(file))) throw error
    throw new InvalidOption(`${file}: ${error.message}`)
  }
}
