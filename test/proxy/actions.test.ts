import { byteActions } from "./actions/bytes.ts"
import { endActions } from "./actions/ends.ts"
import { holdActions } from "./actions/holds.ts"
import { linkActions } from "./actions/links.ts"
import { orderActions } from "./actions/order.ts"
import { paceActions } from "./actions/pace.ts"
import { inEverySetting } from "./settings.ts"

/* Each action of `src/proxy/plan/rule-table.ts`. Seen to fail on these bugs, planted one at a time or made: a connection to come is in no
   partition; throttled frames do not share their turns; delays begin one behind the other; what is nobody's is kept; copies are counted as
   so many bytes that are kept; a connection cannot vanish before it is connected. */

inEverySetting("rules", (setting) => {
  byteActions(setting)
  orderActions(setting)
  holdActions(setting)
  linkActions(setting)
  endActions(setting)
  paceActions(setting)
})
