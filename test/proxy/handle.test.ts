import { changeTests } from "./handle/changes.ts"
import { connectingTests } from "./handle/connecting.ts"
import { failureTests } from "./handle/failures.ts"
import { recordTests } from "./handle/records.ts"
import { waitTests } from "./handle/waits.ts"
import { inEverySetting } from "./settings.ts"

/* Seen to fail on these bugs, planted one at a time: calls do not tell that the listener is lost; waits that end keep their timers; rules
   are for all connections. */

inEverySetting("the handle of a proxy", (setting) => {
  changeTests(setting)
  waitTests(setting)
  recordTests(setting)
  failureTests(setting)
  connectingTests(setting)
})
