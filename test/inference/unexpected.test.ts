import { describe, expect, it } from "vitest"
import { VerificationFailed } from "../../src/index.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const leftoversOf = ({ server }: World): ReadonlyArray<string> => {
  try {
    server.verify()
    return []
  } catch (error) {
    if (error instanceof VerificationFailed) return error.leftovers
    throw error
  }
}

const json = [["content-type", "application/json"]] as const

describe("a strict server", () => {
  it.each([
    ["POST", "/v1/embeddings?key=1", json, "{}", "unexpected POST /v1/embeddings: it was refused with 404"],
    ["POST", "/nope", json, "{}", "unexpected POST /nope: it was refused with 404"],
    ["GET", "/v1/responses/resp_1", [], "", "unexpected GET /v1/responses/resp_1: it was refused with 404"],
    ["GET", "/v1/messages", [], "", "unexpected GET /v1/messages: it was refused with 405"],
    [
      "POST",
      "/responses",
      [["content-type", "text/plain"]],
      "{}",
      "unexpected POST /responses: it was refused with 415"
    ],
    ["POST", "/v1/chat/completions", json, "{", "unexpected POST /v1/chat/completions: it was refused with 400"]
  ] as const)("did not expect %s %s (%j, %j)", (method, target, headers, body, line) => {
    const strict = startWorld({ profile: "full", strict: true })
    const lenient = startWorld({ profile: "full" })
    for (const world of [strict, lenient]) world.send({ method, target, headers, body })

    expect(leftoversOf(strict)).toEqual([line])
    expect(leftoversOf(lenient)).toEqual([])
  })

  it("lets pass what is meant for no model, and an offer of another protocol", () => {
    const world = startWorld({ profile: "full", strict: true })
    world.get("/favicon.ico")
    world.get("/v1/models/absent")
    world.get("/v1/models")
    world.send({ method: "PUT", target: "/v1/models", headers: [] })
    world.get("/v1/responses", [
      ["connection", "upgrade"],
      ["upgrade", "websocket"]
    ])

    expect(leftoversOf(world)).toEqual([])
  })

  it("names the newest of them, cut, and without a key of their headers", () => {
    const world = startWorld({ profile: "full", strict: true })
    const headers = [...json, ["authorization", "Bearer sk-very-secret"]] as const
    world.send({ method: "POST", target: "/v1/first", headers, body: "{}" })
    world.send({ method: "POST", target: `/v1/sk-very-secret/${"x".repeat(1_000)}`, headers, body: "{}" })
    for (let count = 0; count < 1_023; count++) world.send({ method: "POST", target: "/v1/x", headers, body: "{}" })

    const leftovers = leftoversOf(world)
    expect(leftovers).toHaveLength(1_024)
    expect(leftovers[0]).toMatch(/^unexpected POST \/v1\/\*\*\*\/x+…: it was refused with 404$/)
    expect(leftovers[0]?.length).toBeLessThan(320)
  })
})
