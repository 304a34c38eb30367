import { byteActions } from "./actions/bytes.ts"
import { endActions } from "./actions/ends.ts"
import { holdActions } from "./actions/holds.ts"
import { linkActions } from "./actions/links.ts"
import { orderActions } from "./actions/order.ts"
import { paceActions } from "./actions/pace.ts"
import { inEverySetting } from "./settings.ts"

inEverySetting("rules", (setting) => {
  byteActions(setting)
  orderActions(setting)
  holdActions(setting)
  linkActions(setting)
  endActions(setting)
  paceActions(setting)
})
