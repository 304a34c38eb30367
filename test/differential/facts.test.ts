import { describe, expect, it } from "vitest"
import type { Monitor, SeenEvent, WorldOptions } from "../../src/sim.ts"
import { faultScenarios } from "./fault-scenarios.ts"
import { inferenceScenarios } from "./inference-scenarios.ts"
import { sdkScenarios } from "./sdk-scenarios.ts"
import type { Scenario } from "./stage.ts"
import { stages } from "./stages.ts"
import { lineOf } from "./telling.ts"

const scenarios: ReadonlyArray<readonly [name: string, scenario: Scenario]> = Object.entries({
  ...inferenceScenarios,
  ...faultScenarios,
  ...sdkScenarios
})

/** What judges are told of each attempt, in its order. */
const factsOf = async (
  play: (typeof stages)["bytes"],
  scenario: Scenario,
  network: NonNullable<WorldOptions["network"]> = {}
): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  const told = new Map<string, Array<string>>()
  const spy: Monitor<null> = {
    name: "spy",
    init: () => null,
    on(event: SeenEvent) {
      if (!("attempt" in event && "call" in event)) return null
      const { at: _, actor, call, attempt, ...fact } = event
      const name = `${actor}/${call} ${attempt}`
      told.set(name, [...(told.get(name) ?? []), lineOf(fact)])
      return null
    }
  }
  await play(scenario, undefined, { network, judge: { isBare: true, oracles: [spy] } })
  return Object.fromEntries(told)
}

// Seen to fail when chunks were not taken apart, and when what a server does was not put down to a request (servedOn).
describe("What judges are told of clients over bytes", () => {
  it.each(scenarios)("is what they are told of clients over messages, up to times: %s", async (_, scenario) => {
    const messages = await factsOf(stages.messages, scenario)
    const bytes = await factsOf(stages.bytes, scenario)

    expect(Object.keys(messages).length).toBeGreaterThan(0)
    expect(bytes).toEqual(messages)
  })

  // Who leaves when he has read enough leaves later where bytes come in larger pieces.
  it.each(scenarios.filter(([name]) => !name.includes("leave")))("is the same in segments: %s", async (_, scenario) => {
    const network = { segmentBytesMax: 29 }
    expect(await factsOf(stages.bytes, scenario, network)).toEqual(await factsOf(stages.bytes, scenario))
  })
})
