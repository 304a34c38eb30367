import { describe, expect, it } from "vitest"
import { checkAnswerSize, piecesMax } from "../../src/domain/answer-size.ts"
import { checkScript } from "../../src/domain/check-script.ts"
import type { FaultOptions } from "../../src/domain/fault-options.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"
import { checkFaultServer } from "../../src/faults/check-server-options.ts"

const long = "x".repeat(piecesMax)

describe("the size of an answer", () => {
  it.each<FaultOptions>([
    { successText: long, chunkSize: 1 },
    { successText: "🌊".repeat(piecesMax), chunkSize: 1 },
    { partialText: `${long}${long}`, chunkSize: 2 },
    { successText: long.repeat(8) },
    {}
  ])("may be as many pieces as are allowed", (options) => {
    expect(() => checkAnswerSize("success", options)).not.toThrow()
  })

  it.each(["successText", "partialText", "reasoningText"] as const)("may not be more: %s", (name) => {
    expect(() => checkAnswerSize("success", { [name]: `${long}x`, chunkSize: 1 }, "here: ")).toThrow(
      `here: ${name} falls into ${piecesMax + 1} pieces of chunkSize 1, and an answer may have ${piecesMax}; ` +
        "use a larger chunkSize or a shorter text"
    )
    expect(() => checkAnswerSize("success", { [name]: long.repeat(9) })).toThrow(/112500 pieces of chunkSize 8/)
  })

  it("of drip is in bytes", () => {
    expect(() => checkAnswerSize("drip", { successText: "x".repeat(3_000) })).not.toThrow()
    expect(() => checkAnswerSize("drip", { successText: "x".repeat(4_000) })).toThrow(
      /successText makes about 132000 bytes in pieces of chunkSize 8, and drip may send 100000 one by one/
    )
  })
})

describe("an answer that is too large", () => {
  const world = { countsConnects: false }
  const text = "x".repeat(20_000)

  it("is refused by a fault server before it starts, with everything that applies to its entry", () => {
    const refused = (options: Parameters<typeof checkFaultServer>[0]) => () => checkFaultServer(options, world)

    expect(refused({ sequence: ["rate_limit"], successText: `${long}x`, chunkSize: 1 })).toThrow(/^successText falls/)
    expect(
      refused({ sequence: [{ behavior: "success", options: { chunkSize: 1 } }], successText: `${long}x` })
    ).toThrow(/^sequence: success: successText falls/)
    expect(refused({ sequence: ["success", "drip*3"], successText: text })).toThrow(/^successText makes about/)
    expect(refused({ lanes: { scripts: { a: { sequence: ["drip"], options: { successText: text } } } } })).toThrow(
      /and drip may send/
    )
    expect(refused({ sequence: ["success"], successText: text })).not.toThrow()
    expect(
      refused({ sequence: [{ behavior: "drip", options: { successText: "x" } }], successText: text })
    ).not.toThrow()
  })

  it("is refused as the answer of an expectation", () => {
    expect(() => checkScript(ScriptedResponse.fault("drip", { successText: text }))).toThrow(
      /^the fault drip: successText makes about/
    )
    expect(checkScript(ScriptedResponse.fault("success", { successText: text })).body.kind).toBe("fault")
  })
})
