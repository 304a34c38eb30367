import { describe, expect, it } from "vitest"
import type { RequestSpec } from "../../properties/model/command.ts"
import { classOf, fingerprintOf, sentRequest } from "../../properties/model/request.ts"
import { classifyKind } from "../../src/domain/classification.ts"
import { fingerprint } from "../../src/domain/fingerprint.ts"
import { request } from "./history.ts"

const specOf = (changes: Partial<RequestSpec>): RequestSpec => {
  const command = request(changes)
  if (command.type !== "request") throw new Error("request() makes requests")
  return command.request
}

const variants: ReadonlyArray<Partial<RequestSpec>> = (["none", "id", "turn", "both", "empty"] as const).flatMap(
  (headers) => [0, 1, 2, 3].map((tools) => ({ headers, tools }))
)

describe("the requests of the model", () => {
  it.each(variants)("are of the kind that the server finds: %o", (changes) => {
    const spec = specOf(changes)
    const { headers, body } = sentRequest(spec)

    expect(classOf(spec).kind).toBe(classifyKind(headers, JSON.parse(body)))
  })

  it("stay the same call however they are spelled", () => {
    const prints = [0, 1, 2, 3, 4, 5, 6, 7].map((spelling) => {
      const spec = specOf({ spelling })
      const { headers, body } = sentRequest(spec)
      return fingerprint(classOf(spec), headers, body)
    })

    expect(new Set(prints).size).toBe(1)
  })

  it("are other calls with another id, body, number of tools or endpoint", () => {
    const others: ReadonlyArray<Partial<RequestSpec>> = [
      {},
      { id: "b" },
      { body: "toolResult" },
      { tools: 1 },
      { endpoint: "Responses" },
      { headers: "id" }
    ]

    expect(new Set(others.map((changes) => fingerprintOf(specOf(changes)))).size).toBe(others.length)
  })
})
