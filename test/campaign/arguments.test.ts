import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { loadPrograms } from "../../src/campaign/program-module.ts"
import type { SimWorld } from "../../src/campaign/sim-world.ts"
import { simRuntime } from "../../src/effect.ts"
import { arbitraries } from "../../src/properties.ts"
import { explore, fuzz, withSim } from "../../src/sim.ts"
import { tempFolder } from "../cli/temp-folder.ts"

/** What somebody does who has no types, or is not asked by them. */
type Slip = (sim: Record<keyof SimWorld, (...given: ReadonlyArray<unknown>) => unknown>) => unknown

const slips: ReadonlyArray<readonly [said: string, slip: Slip]> = [
  [
    'sim.tell(fact, actor): fact.type is "tolld"; did you mean "told"?',
    (sim) => sim.tell({ type: "tolld", what: "x" })
  ],
  ['fact has no "wat"; did you mean "what"?', (sim) => sim.tell({ type: "told", wat: "x" })],
  ["fact.what is undefined; give a text", (sim) => sim.tell({ type: "told" })],
  [
    "fact.parties is 0; give a whole number from 1",
    (sim) => sim.tell({ type: "party.arrived", barrier: "b", parties: 0 })
  ],
  ['fact is "told"; give an object, such as { type: "told"', (sim) => sim.tell("told")],
  ['actor is 5; give a name, such as "ann"', (sim) => sim.tell({ type: "told", what: "x" }, 5)],
  ["sim.as(client, body): client is a function; give a name", (sim) => sim.as(() => 1)],
  ["sim.as(client, body): body is null; give a function", (sim) => sim.as("ann", null)],
  [
    'client is an address, "http://127.0.0.1:1/"; what sim.fetch() gives takes it: sim.fetch("ann")(url)',
    (sim) => sim.fetch("http://127.0.0.1:1/")
  ],
  ['client is an address, "http://127.0.0.1:1/"', (sim) => sim.fetch(new Request("http://127.0.0.1:1/"))],
  ['sim.fetch(client): client is {"name":"ann"}; give a name', (sim) => sim.fetch({ name: "ann" })],
  ["sim.dispatcher(client): client is 5", (sim) => sim.dispatcher(5)],
  ["sim.connector(client): client is 5", (sim) => sim.connector(5)],
  ["sim.call(client, body): client is a function; give a name", (sim) => sim.call(() => 1)],
  ["sim.call(client, body): body is undefined; give a function", (sim) => sim.call("ann")],
  ["call.tool(id, work): work is undefined; give a function", (sim) => sim.call("ann", toolWithout)],
  ["sim.onEnd(close): close is undefined; give a function", (sim) => sim.onEnd()],
  ['sim.onHang(waiting): waiting is "x"; give a function', (sim) => sim.onHang("x")],
  ["sim.note(text): text is 5; give a text", (sim) => sim.note(5)],
  ["sim.sometimes(goal, holds): goal is 5; give a text", (sim) => sim.sometimes(5)],
  ['sim.sometimes(goal, holds): holds is "no"; give true or false', (sim) => sim.sometimes("x", "no")],
  ["sim.cover(tuple): tuple is 5; give a text", (sim) => sim.cover(5)],
  ["sim.stateOf(state): state is 5; give a function", (sim) => sim.stateOf(5)],
  ['there is no option "stric"; did you mean "strict"?', (sim) => sim.startServer({ stric: true })],
  ["sessions has no member `retris`; use", (sim) => sim.startServer({ sessions: { retris: "any" } })],
  ['sim.startServer: there is no option "ovr"; did you mean "over"?', (sim) => sim.startServer({ ovr: "bytes" })],
  [
    "sim.startServer: there is no option clock: the world has its own time",
    (sim) => sim.startServer({ clock: "manual" })
  ],
  ["sim.startServer: the options are 5; give an object", (sim) => sim.startServer(5)],
  ["prepare is 5; use a function", (sim) => sim.startServer({ prepare: 5 })],
  ['the models are "tide-1"; use a list', (sim) => sim.startServer({ models: "tide-1" })],
  ['did you mean "repeatLast"?', (sim) => sim.startFaultServer({ sequence: ["success"], repeatlast: true })],
  ['did you mean "over"?', (sim) => sim.startFaultServer({ sequence: ["success"], ovr: "bytes" })],
  ["sim.startFaultServer: the options are undefined; give an object", (sim) => sim.startFaultServer()],
  [
    'sim.stdioPair(name, options): there is no option "per"; did you mean "peer"?',
    (sim) => sim.stdioPair("a", { per: "x" })
  ],
  ["sim.stdioPair(name, options): name is undefined; give a name", (sim) => sim.stdioPair()],
  ['faults has no "rts"; did you mean "rst"?', (sim) => sim.socketPair("a", { faults: { rts: 0.1 } })],
  ["sim.socketPair(name, options): segmentBytesMax is 0", (sim) => sim.socketPair("a", { segmentBytesMax: 0 })],
  ['sim.serve: there is no option "prt"; did you mean "port"?', (sim) => sim.serve(createServer(), { prt: 5 })]
]

const toolWithout = ({ tool }: { readonly tool: (id: string) => unknown }): unknown => tool("lookup")

/** The same world without its types. */
const untyped = (sim: object): Parameters<Slip>[0] => Object.assign(Object.create(null), sim)

// Each seen to fail before there was a check: most passed, others threw something that named no call.
describe("An argument of the world that cannot be", () => {
  it.each(slips)("is refused: %s", async (said, slip) => {
    const run = withSim({ judge: {} }, async (sim) => {
      await slip(untyped(sim))
    })

    await expect(run).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(run).rejects.toThrow(said)
  })

  it("is none where it is left out, or said as before", async () => {
    await withSim({ judge: {} }, async (sim) => {
      sim.tell({ type: "told", what: "nothing", value: undefined })
      sim.tell({ type: "attempt.arrived", call: "call 1", attempt: 1, request: 7, fingerprint: null }, "ann")
      sim.sometimes("never", undefined)
      await untyped(sim).startServer({ over: undefined, strict: true, clock: undefined })
    })
  })
})

describe("Options beside the world", () => {
  it("of simRuntime are checked", async () => {
    const typo: object = { prempts: true }
    await withSim({}, (sim) => {
      expect(() => simRuntime(sim, typo)).toThrow(
        'simRuntime(sim, options): there is no option "prempts"; did you mean "preempts"?'
      )
      // @ts-expect-error A runtime needs a world.
      expect(() => simRuntime({ preempts: true })).toThrow('sim is {"preempts":true}; give the world of a run')
    })
  })

  it("of generated choices are checked", () => {
    const slip: object = { forkMax: 3 }
    expect(() => arbitraries.choices(slip)).toThrow(
      'arbitraries.choices: there is no option "forkMax"; did you mean "forksMax"?'
    )
    const forks: object = { forks: "schedule" }
    expect(() => arbitraries.choices(forks)).toThrow('arbitraries.choices: forks is "schedule"; give a list')
    expect(() => arbitraries.schedule(forks)).toThrow(
      'arbitraries.schedule: there is no option "forks"; there are lengthMax, answerMax'
    )
    expect(() => arbitraries.schedule({ lengthMax: -1 })).toThrow("arbitraries.schedule: lengthMax is -1")
  })

  // Seen to fail with "makeTurn is not a function", and "the body is {...}".
  it("tell of a client that gives no turn, and of a program that is given whole", async () => {
    const lost: unknown = () => undefined
    const isClient = (client: unknown): client is Parameters<typeof fuzz>[0] => typeof client === "function"
    if (!isClient(lost)) throw new Error("it is a function")
    await expect(fuzz(lost, {}, { runs: 1 })).rejects.toThrow("fuzz: the client gave undefined; give back a function")

    const whole: unknown = { name: "p", options: {}, run: () => {} }
    const untypedExplore: (options: object, body: never) => Promise<unknown> = explore
    await expect(Reflect.apply(untypedExplore, null, [{}, whole])).rejects.toThrow(
      "explore: the body is a program; give its parts: explore(p.options, p.run)"
    )
  })

  it("of a module's programs are checked by their names too", async () => {
    const folder = tempFolder()
    const path = folder.write("race.mjs", "export default { option: { runs: 3 }, run() {} }\n")

    const [program] = await loadPrograms(path)
    expect(program?.problem).toContain('the program "race": there is no "option"; did you mean "options"?')
  })
})
