import { describe, expect, it } from "vitest"
import { type FuzzClient, fuzz, fuzzProgram } from "../../src/sim.ts"

const client: FuzzClient = () => async () => ""

// Seen to fail with promises that were ignored when they were spelt otherwise, and with TypeErrors.
describe("What a client is fuzzed with is checked before anything runs", () => {
  it.each<readonly [object | null | undefined, string]>([
    [{ noLostTurns: true }, 'properties has no "noLostTurns"; did you mean "noLostTurn"?'],
    [{ noLostTurn: "no" }, 'properties.noLostTurn is "no"; give true or false'],
    [
      { noAnswerAfterCancel: { within: 5 } },
      'properties.noAnswerAfterCancel has no "within"; did you mean "withinMs"?'
    ],
    [{ noAnswerAfterCancel: { withinMs: -5 } }, "properties.noAnswerAfterCancel.withinMs is -5; give a number of"],
    [{ noAnswerAfterCancel: {} }, "properties.noAnswerAfterCancel.withinMs is undefined; give a number of"],
    [{ noAnswerAfterCancel: null }, "properties.noAnswerAfterCancel is null; give true, false, or an object of bounds"],
    [{ backOffRespected: { retries: 1 } }, 'properties.backOffRespected has no "retries"; did you mean "retriesMax"?'],
    [{ backOffRespected: { lateMsMax: "1s" } }, 'properties.backOffRespected.lateMsMax is "1s"; give a number of'],
    [{ settleBudgetMs: -1 }, "properties.settleBudgetMs is -1; give a number of milliseconds"],
    [null, "properties is null; give an object"]
  ])("properties: %o", async (properties, said) => {
    // @ts-expect-error Properties of other shapes.
    await expect(fuzz(client, properties)).rejects.toMatchObject({ _tag: "InvalidOption", message: expectIn(said) })
  })

  it.each<readonly [unknown, string]>([
    [{ nope: 1 }, 'workload has no "nope"; there are clientsMax, turnsMax'],
    [{ clientsMax: 9 }, "workload.clientsMax is 9; give a whole number from 1 to 8"],
    [{ turnsMax: 0 }, "workload.turnsMax is 0; give a whole number from 1 to 1000"],
    [{ abortsMs: 5 }, "workload.abortsMs is 5; give a list"],
    [{ abortsMs: [5, 0] }, "workload.abortsMs[1] is 0; give milliseconds from 1"],
    [{ faults: null }, "workload.faults is null; give a list"],
    [{ faults: ["stal"] }, 'workload.faults[0] is "stal"; did you mean "stall"?'],
    [{ faults: ["fire"] }, 'workload.faults[0] is "fire"; give one of serverError, rateLimit'],
    [null, "workload is null; give an object"]
  ])("workload: %o", async (workload, said) => {
    const options: object = { runs: 2, workload }
    await expect(fuzz(client, {}, options)).rejects.toMatchObject({ _tag: "InvalidOption", message: expectIn(said) })
    expect(() => fuzzProgram(client, {}, options)).toThrow(said)
  })

  it("the client and the other options too", async () => {
    const judged: object = { judge: {} }
    // @ts-expect-error A client is a function.
    await expect(fuzz(5)).rejects.toThrow("fuzz: the client is 5; give a function that makes one")
    // @ts-expect-error Options are an object.
    await expect(fuzz(client, {}, null)).rejects.toThrow("fuzz: the options are null; give an object")
    await expect(fuzz(client, {}, judged)).rejects.toThrow("fuzz: judge is made of the properties")
    expect(() => fuzzProgram(client, {}, { runs: 0 })).toThrow("fuzz: runs is 0; give a whole number from 1")
  })

  it("what is left out, also by the word undefined, is as it is by default", () => {
    const none: object = { noLostTurn: undefined, noAnswerAfterCancel: undefined, backOffRespected: {} }

    expect(fuzzProgram(client, none, { runs: 3 }).options.runs).toBe(3)
    const promises = { noAnswerAfterCancel: { withinMs: 5 }, backOffRespected: false }
    expect(fuzzProgram(client, promises, { workload: { abortsMs: [], faults: [] } }).name).toBe("fuzz")
  })
})

const expectIn = (said: string): unknown => expect.stringContaining(`fuzz: ${said}`)
