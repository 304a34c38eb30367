import { delayScenarios } from "./scenarios/delays.ts"
import { endScenarios } from "./scenarios/ends.ts"
import { framingScenarios } from "./scenarios/framings.ts"
import { manyScenarios } from "./scenarios/many.ts"
import { placeScenarios } from "./scenarios/places.ts"
import { plainScenarios } from "./scenarios/plain.ts"
import { sizeScenarios } from "./scenarios/sizes.ts"
import { inEverySetting } from "./settings.ts"

inEverySetting("a proxy", (setting) => {
  plainScenarios(setting)
  delayScenarios(setting)
  sizeScenarios(setting)
  endScenarios(setting)
  placeScenarios(setting)
  manyScenarios(setting)
  framingScenarios(setting)
})
