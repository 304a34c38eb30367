import { changeTests } from "./handle/changes.ts"
import { failureTests } from "./handle/failures.ts"
import { recordTests } from "./handle/records.ts"
import { waitTests } from "./handle/waits.ts"
import { inEverySetting } from "./settings.ts"

inEverySetting("the handle of a proxy", (setting) => {
  changeTests(setting)
  waitTests(setting)
  recordTests(setting)
  failureTests(setting)
})
