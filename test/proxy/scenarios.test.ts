import { delayScenarios } from "./scenarios/delays.ts"
import { endScenarios } from "./scenarios/ends.ts"
import { framingScenarios } from "./scenarios/framings.ts"
import { httpScenarios } from "./scenarios/http.ts"
import { manyScenarios } from "./scenarios/many.ts"
import { placeScenarios } from "./scenarios/places.ts"
import { plainScenarios } from "./scenarios/plain.ts"
import { sizeScenarios } from "./scenarios/sizes.ts"
import { inEverySetting } from "./settings.ts"

/* Scenarios 75 to 94 and 96 of agent-harness.md, section 9. Seen to fail on these bugs, planted one at a time: a delay is 1 ms longer; a source
   is not paused; what a client sends early is lost; a tail that is to be dropped is forwarded; rules are for all connections. */

inEverySetting("a proxy", (setting) => {
  plainScenarios(setting)
  delayScenarios(setting)
  sizeScenarios(setting)
  endScenarios(setting)
  placeScenarios(setting)
  manyScenarios(setting)
  framingScenarios(setting)
  httpScenarios(setting)
})
