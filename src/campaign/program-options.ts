import { describe, isRecord } from "../domain/json.ts"
import { suggestion } from "../domain/spelling.ts"
import { strategies } from "../explore/strategies.ts"
import type { CampaignOptions } from "./campaign.ts"

/** How an option is checked: what is wrong with a value, or `null`. */
type Check = (value: unknown) => string | null

const anything: Check = () => null

const whole =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? null
      : `give a whole number from ${least} to ${most}`

const kind =
  (type: "boolean" | "function"): Check =>
  (value) =>
    typeof value === type ? null : `give a ${type}`

const share: Check = (value) =>
  typeof value === "number" && value >= 0 && value <= 1 ? null : "give a number from 0 to 1"

const list: Check = (value) => (Array.isArray(value) ? null : "give a list")
const record: Check = (value) => (isRecord(value) ? null : "give an object")
const amount: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? null : "give a number of milliseconds"

const strategyNames = Object.keys(strategies)
const strategy: Check = (value) =>
  typeof value === "string" && strategyNames.includes(value)
    ? null
    : `give one of ${strategyNames.join(", ")}${suggestion(String(value), strategyNames)}`

const checks: Readonly<Record<keyof CampaignOptions, Check>> = {
  network: record,
  limits: record,
  allow: list,
  windowMs: amount,
  isUntimed: kind("boolean"),
  judge: record,
  runs: whole(1, 1_000_000),
  isOver: kind("function"),
  seed: whole(0, 2 ** 32 - 1),
  first: list,
  goals: list,
  checkShare: share,
  goesOn: kind("boolean"),
  shrinkRunsMax: whole(0, 1_000_000),
  onRun: anything,
  strategy
}

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
  if (!isOptions(value)) return refuse(`options is ${describe(value)}; give an object, or leave it out`)
  const table: Readonly<Record<string, Check>> = checks
  for (const [name, option] of Object.entries(value)) {
    const check = Object.hasOwn(table, name) ? table[name] : undefined
    if (check === undefined) {
      const names = Object.keys(checks)
      return refuse(
        `there is no option ${JSON.stringify(name)}${suggestion(name, names) || `; there are ${names.join(", ")}`}`
      )
    }
    const problem = option === undefined ? null : check(option)
    if (problem !== null) return refuse(`options.${name} is ${describe(option)}; ${problem}`)
  }
  return value
}

/** What its members are is checked one by one. */
const isOptions = (value: unknown): value is CampaignOptions => isRecord(value)
