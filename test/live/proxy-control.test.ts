import { describe } from "vitest"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { commandedProxy } from "../proxy/control/commanded-proxy.ts"
import { controlContract } from "../proxy/control/control-contract.ts"
import { controlWaits } from "../proxy/control/control-waits.ts"

describe("a control socket of this machine", () => controlContract(liveStreamWorld))
describe("waits at a control socket of this machine", () => controlWaits(liveStreamWorld))
describe("a proxy that is commanded on this machine", () => commandedProxy(liveStreamWorld))
