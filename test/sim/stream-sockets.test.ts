import { describe } from "vitest"
import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
import { streamContract } from "../ports/stream-contract.ts"

describe("simulated sockets", () => streamContract(simStreamWorld()))
describe("simulated sockets of seed 1", () => streamContract(simStreamWorld(seededChoice(1))))
describe("simulated sockets of seed 2", () => streamContract(simStreamWorld(seededChoice(2))))
