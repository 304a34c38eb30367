import { cancelInBackOff } from "./cancel-in-back-off.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { doneIsNoEnd } from "./done-is-no-end.ts"
import { keepAliveRace } from "./keep-alive-race.ts"
import { retryAfterUncapped } from "./retry-after-uncapped.ts"
import { retryDoesItTwice } from "./retry-does-it-twice.ts"
import { stalledBody } from "./stalled-body.ts"
import { truncatedIsComplete } from "./truncated-is-complete.ts"

/** The bugs whose packages are here for the tests anyway. */
export const bugs: ReadonlyArray<CorpusBug> = [
  stalledBody,
  cancelInBackOff,
  retryAfterUncapped,
  doneIsNoEnd,
  truncatedIsComplete,
  retryDoesItTwice,
  keepAliveRace
]
