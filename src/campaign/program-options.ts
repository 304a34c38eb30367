import { isRecord } from "../domain/json.ts"
import type { CampaignOptions } from "./campaign.ts"
import { optionProblem } from "./option-tables.ts"

/**
 * The options of a program as its module gives them.
 *
 * **Takes** `refuse`, which throws what is wrong
 *
 * @since 0.1.0
 * @category guards
 */
export const programOptions = (value: unknown, refuse: (problem: string) => never): CampaignOptions => {
  if (value === undefined) return {}
  const problem = optionProblem("program", value, "options")
  return problem !== null || !isOptions(value) ? refuse(problem ?? "options is no object") : value
}

/** What its members are was checked one by one. */
const isOptions = (value: unknown): value is CampaignOptions => isRecord(value)
