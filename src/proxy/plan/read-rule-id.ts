import { type Read, readWord, refuse } from "../../domain/field-readers.ts"

/** In characters: every event of a frame repeats the ids of its rules. */
export const ruleIdLengthMax = 200

/** The id of a rule. */
export const readRuleId: Read<string> = (value, at) => {
  const id = readWord(value, at)
  if (id.length <= ruleIdLengthMax) return id
  return refuse(at, `has ${id.length} characters; the id of a rule has at most ${ruleIdLengthMax}`)
}
