import { describe, expect, it } from "vitest"
import { startFaultServer } from "../../src/faults.ts"

/** Options as somebody without types gives them. */
const startWith = (options: object) => startFaultServer(Object.assign({ sequence: undefined as never }, options))

describe("The options of a fault server", () => {
  it.each([
    [{ sequence: ["bogus"] }, ["sequence", '"bogus"']],
    [{ sequence: [] }, ["sequence", "non-empty"]],
    [{}, ["sequence", "non-empty"]],
    [{ sequence: ["success", ""] }, ["sequence", "non-empty"]],
    [{ sequence: ["script_exhausted"] }, ['"script_exhausted"']],
    [{ sequence: ["connection_refused", "success"] }, ["connection_refused", "first"]],
    [{ sequence: ["connection_refused:5"] }, ["connection_refused", "followed"]],
    [{ sequence: ["success", "connection_refused:5"] }, ["connection_refused", "follow"]],
    [{ sequence: ["success:maybe"] }, [":fin", ":rst"]],
    [{ sequence: ["success*0"] }, ["integer between"]],
    [{ sequence: [{ behavior: "success", tims: 2 }] }, ['"tims"']],
    [{ sequence: [{ behavior: "success", options: { chunkSise: 2 } }] }, ['"chunkSise"', '"chunkSize"']],
    [{ sequence: ["success"], port: 65_536 }, ["port", "integer between", "0", "65535"]],
    [{ sequence: ["success"], port: -1 }, ["port", "integer between"]],
    [{ sequence: ["success"], port: 1.5 }, ["port", "integer between"]],
    [{ sequence: ["success"], chunkSize: 0 }, ["chunkSize", "integer between"]],
    [{ sequence: ["success"], chunkSize: "8" }, ["chunkSize", "integer between"]],
    [{ sequence: ["success"], chunkDelayMs: -1 }, ["chunkDelayMs", "integer between"]],
    [{ sequence: ["success"], disconnectDelayMs: Number.POSITIVE_INFINITY }, ["disconnectDelayMs", "integer between"]],
    [{ sequence: ["success"], retryAfterMs: 0 }, ["retryAfterMs", "integer between"]],
    [{ sequence: ["success"], randomSeed: -1 }, ["randomSeed", "integer between"]],
    [{ sequence: ["success"], randomSeed: 4_294_967_296 }, ["randomSeed", "4294967295"]],
    [{ sequence: ["success"], host: "" }, ["host", "empty"]],
    [{ sequence: ["success"], apiKey: "" }, ["apiKey", "empty"]],
    [{ sequence: ["success"], successText: "" }, ["successText", "empty"]],
    [{ sequence: ["success"], partialText: "" }, ["partialText", "empty"]],
    [{ sequence: ["success"], reasoningText: "" }, ["reasoningText", "empty"]],
    [{ sequence: ["success"], toolName: "" }, ["toolName", "empty"]],
    [{ sequence: ["success"], requestId: "" }, ["requestId", "empty"]],
    [{ sequence: ["success"], toolArguments: "{" }, ["toolArguments", "valid JSON"]],
    [{ sequence: ["success"], randomWeights: { random: 1 } }, ["concrete", '"random"']],
    [{ sequence: ["success"], randomWeights: { success: -1 } }, ["non-negative", "success"]],
    [{ sequence: ["success"], randomWeights: { success: 0 } }, ["positive weight"]],
    [{ sequence: ["success"], randomWeights: {} }, ["positive weight"]],
    [{ sequence: ["success"], randomWeights: { success: Number.NaN } }, ["success", "finite number"]],
    [{ sequence: ["success"], chunkShape: "tiny" }, ["chunkShape", '"complete"', '"minimal"']],
    [{ sequence: ["success"], formats: [] }, ["formats", "messages"]],
    [{ sequence: ["success"], lanes: { by: ["user"] } }, ["lanes.by", "fingerprint"]],
    [{ sequence: ["success"], lanes: { byy: [] } }, ["lanes", '"byy"', '"by"']],
    [{ lanes: { scripts: { a: { sequence: ["nope"] } } } }, ['lanes.scripts["a"]', '"nope"']],
    [{ lanes: { scripts: { a: { sequence: ["success", "connection_refused:5", "success"] } } } }, ["lanePort"]],
    [
      { lanes: { lanePort: true, scripts: { "be*": { sequence: ["success", "connection_refused:5", "success"] } } } },
      ['lanes.scripts["be*"]', "pattern", "exactly"]
    ],
    [
      { lanes: { lanePort: true, scripts: { "*": { sequence: ["success", "connection_refused:5", "success"] } } } },
      ['lanes.scripts["*"]', "pattern", "exactly"]
    ],
    [
      { sequence: ["success", "connection_refused:5", "success"], lanes: { by: ["path"], lanePort: true } },
      ["each lane", "named exactly", "lanes.perLane: false"]
    ],
    [{ sequence: ["success"], lanes: { by: "path" } }, ["lanes.by", '"path"', "list"]],
    [{ sequence: ["success"], lanes: { isStrict: "no" } }, ["lanes.isStrict", "true or false"]],
    [{ sequence: ["success"], lanes: { scripts: null } }, ["lanes.scripts", "object"]],
    [
      { lanes: { by: ["path"], scripts: { a: { sequence: ["success"], repeatLast: "no" } } } },
      ['lanes.scripts["a"].repeatLast', "true or false"]
    ],
    [
      { lanes: { by: ["path"], scripts: { a: { sequence: ["success"], options: null } } } },
      ['scripts["a"]', "options"]
    ],
    [{ sequence: ["random"], seed: 5 }, ['"seed"', 'did you mean "randomSeed"?']],
    [{ sequence: ["connection_reset*2:rst"] }, ["write connection_reset:rst*2"]],
    [{ sequence: ["success"], sequenze: 1 }, ['"sequenze"', '"sequence"']],
    [{ sequence: ["success"], onEvent: 5 }, ["onEvent", "function"]]
  ])("are refused before a port is bound: %j", async (options, words) => {
    const refusal = await startWith(options).then(
      () => "it started",
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    )

    expect(refusal).toMatch(/^InvalidOption: /)
    for (const word of words) expect(refusal).toContain(word)
  })

  it("are told one problem at a time, in the order of the specification", async () => {
    const bad = {
      weights: { random: 1 },
      toolArguments: "{",
      requestId: "",
      successText: "",
      sequence: ["bogus"],
      host: "",
      retryAfterMs: 0,
      chunkSize: 0,
      port: -1
    }
    const told: Array<string> = []
    const names = ["port", "chunkSize", "retryAfterMs", "host", "sequence", "successText", "requestId", "toolArguments"]
    let options: Record<string, unknown> = { ...bad }
    for (const name of names) {
      const refusal = await startWith(options).then(
        () => "it started",
        (error: unknown) => String(error)
      )
      told.push(refusal.includes(name) ? name : refusal)
      const { [name]: _, ...rest } = options
      options = name === "sequence" ? { ...rest, sequence: ["success"] } : rest
    }

    expect(told).toEqual(names)
  })

  it("show the seed, also when nobody chose it", async () => {
    await using chosen = await startFaultServer({ sequence: ["success"], randomSeed: 42 })
    await using drawn = await startFaultServer({ sequence: ["success"] })

    expect(chosen.randomSeed).toBe(42)
    expect(drawn.randomSeed).toBeGreaterThanOrEqual(0)
    expect(drawn.randomSeed).toBeLessThan(2 ** 32)
  })

  it("are copied: what happens to the caller's list later changes nothing", async () => {
    const sequence = ["success"]
    await using server = await startFaultServer({ sequence })
    sequence[0] = "rate_limit"

    const response = await fetch(`${server.url}/chat/completions`, { method: "POST", body: "{}" })

    expect(response.status).toBe(200)
  })
})

it("blanks around the star of an entry are nothing", async () => {
  await using server = await startFaultServer({ sequence: ["success * 2", "connection_reset:rst *2"] })

  expect(() => server.assertDrained()).toThrow("used 0 of 4 entries")
})
