import { describe } from "vitest"
import { seededChoice } from "../../../src/kernel/choice-sources.ts"
import { simStreamWorld } from "../../ports/sim-stream-world.ts"
import { commandedProxy } from "./commanded-proxy.ts"
import { controlContract } from "./control-contract.ts"
import { controlWaits } from "./control-waits.ts"

describe("a control socket on a simulated machine", () => controlContract(simStreamWorld()))
describe("waits at a control socket on a simulated machine", () => controlWaits(simStreamWorld()))
describe("a control socket on one of seed 1", () => controlContract(simStreamWorld(seededChoice(1))))
describe("waits at a control socket on one of seed 1", () => controlWaits(simStreamWorld(seededChoice(1))))
describe("a proxy that is commanded on a simulated machine", () => commandedProxy(simStreamWorld()))
describe("a proxy that is commanded on one of seed 1", () => commandedProxy(simStreamWorld(seededChoice(1))))
describe("a proxy that is commanded on one of seed 2", () => commandedProxy(simStreamWorld(seededChoice(2))))
