import { describe } from "vitest"
import { seededChoice } from "../../../src/kernel/choice-sources.ts"
import { simStreamWorld } from "../../ports/sim-stream-world.ts"
import { controlContract } from "./control-contract.ts"

describe("a control socket on a simulated machine", () => controlContract(simStreamWorld()))
describe("a control socket on one of seed 1", () => controlContract(simStreamWorld(seededChoice(1))))
