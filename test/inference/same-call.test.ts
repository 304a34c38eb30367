import { describe, expect, it } from "vitest"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher } from "../../src/index.ts"
import { userBody } from "../support/requests.ts"
import { stream } from "../support/scripts.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const { foreground, auxiliary } = InferenceRequestMatcher

describe("two requests are one call", () => {
  const claimsOf = (send: (world: World) => void) => {
    const world = startWorld()
    const handles = [foreground("Responses"), auxiliary("Responses"), foreground("ChatCompletions")].map((matcher, i) =>
      world.server.expectResponseBlocked(`${i}`, matcher, stream("x"))
    )
    send(world)
    return handles.map(({ claims }) => claims)
  }

  it("whatever the value of the turn index, but not with and without one (scenario 33)", () => {
    const turnIndexes = (...indexes: ReadonlyArray<string | null>) =>
      claimsOf((world) => {
        for (const index of indexes) world.foreground("Responses", "id", "x", { headers: { "x-grok-turn-idx": index } })
      })

    expect(turnIndexes("1", "2")).toEqual([2, 0, 0])
    expect(turnIndexes("1", null)).toEqual([1, 1, 0])
  })

  it("only on one endpoint, whatever the authorization (scenario 33)", () => {
    const body = { ...userBody("Responses", "x"), ...userBody("ChatCompletions", "x") }
    const onTwoEndpoints = claimsOf((world) => {
      world.foreground("Responses", "id", "x", { body })
      world.foreground("ChatCompletions", "id", "x", { body })
    })
    const withTwoKeys = claimsOf((world) => {
      for (const authorization of ["Bearer a", "Bearer b"]) {
        world.foreground("Responses", "id", "x", { headers: { authorization } })
      }
    })

    expect(onTwoEndpoints).toEqual([1, 0, 1])
    expect(withTwoKeys).toEqual([2, 0, 0])
  })

  const bodies = (first: string, second: string) =>
    claimsOf((world) => {
      for (const body of [first, second]) {
        world.post(endpointPaths.Responses, body, [
          ["x-grok-req-id", "id"],
          ["x-grok-turn-idx", "1"]
        ])
      }
    })[0]

  it.each([
    ["white space", '{"a":1,"b":[1,2]}', '{ "a" : 1 ,\n "b":[ 1,\t2 ] }'],
    ["order of keys", '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}'],
    ["escapes", '{"a":"é/"}', '{"\\u0061":"\\u00e9\\/"}'],
    ["an earlier key of the same name", '{"a":1}', '{"a":2,"a":1}'],
    ["spelling of a number", '{"a":100}', '{"a":1e2}']
  ])("whatever the %s of their bodies (scenario 34)", (_, first, second) => {
    expect(bodies(first, second)).toBe(2)
  })

  it.each([
    ["models", '{"model":"a"}', '{"model":"b"}'],
    ["orders in an array", '{"a":[1,2]}', '{"a":[2,1]}'],
    ["integers beyond 2^53", '{"a":9007199254740993}', '{"a":9007199254740992}'],
    ["types of one text", '{"a":1}', '{"a":"1"}']
  ])("but not with different %s (scenario 34)", (_, first, second) => {
    expect(bodies(first, second)).toBe(1)
  })

  it("by the trimmed request id, in its case", () => {
    const ids = (...list: ReadonlyArray<string>) =>
      claimsOf((world) => {
        for (const id of list) world.foreground("Responses", id, "x")
      })[0]

    expect(ids("id", " id\t")).toBe(2)
    expect(ids("id", "ID")).toBe(1)
    expect(ids("é", "é")).toBe(1)
  })
})
