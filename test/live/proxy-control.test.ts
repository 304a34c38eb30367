import { describe } from "vitest"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { controlContract } from "../proxy/control/control-contract.ts"

describe("a control socket of this machine", () => controlContract(liveStreamWorld))
