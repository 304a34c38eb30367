import { describe, expect, it } from "vitest"
import { virtualFaults } from "../support/fault-world.ts"

const secret = "sk-live-0123456789abcdef"

describe("Keys that tell callers apart", () => {
  it.each(["bearer", "header:x-goog-api-key", "header:Ocp-Apim-Subscription-Key", "header:x-auth-token"] as const)(
    "by %s stand in no record",
    (rule) => {
      const { server, answer, told } = virtualFaults({
        sequence: ["success"],
        telemetry: "full",
        lanes: { by: [rule] }
      })

      answer({
        headers: [
          ["authorization", `Bearer ${secret}`],
          ["x-goog-api-key", secret],
          ["ocp-apim-subscription-key", secret],
          ["x-auth-token", secret]
        ]
      })

      const all = JSON.stringify([told, server.lanes(), server.requests.map(({ lane }) => lane), server.traceEvents()])
      expect(all).not.toContain(secret)
      expect(server.requests[0]?.lane).toMatch(/^secret-[0-9a-f]{8}$/)
    }
  )

  it("stand in no record of a lane with a port of its own, and its gap begins there", () => {
    const { server, clock, answer, told } = virtualFaults({
      telemetry: "full",
      lanes: {
        by: ["bearer"],
        lanePort: true,
        scripts: { [secret]: { sequence: ["success", "connection_refused:300", "success"] } }
      }
    })

    // In simulation connects come to the port that was bound last, which is that of the lane.
    answer()
    clock.settle()

    expect(JSON.stringify([told, server.lanes(), server.traceEvents()])).not.toContain(secret)
    expect(told.map(({ type }) => type)).toEqual(["request", "result", "unavailable"])
    expect(told.at(-1)).toMatchObject({ baseURL: `${server.laneURLs.get(secret)}/v1` })
  })

  it("are not named when the lane never appeared", () => {
    const { server } = virtualFaults({ lanes: { by: ["bearer"], scripts: { [secret]: { sequence: ["success"] } } } })

    expect(() => server.assertDrained()).toThrow(/lane `secret-[0-9a-f]{8}` never appeared/)
  })

  it("leave the lane of all others its name", () => {
    const { server, answer } = virtualFaults({
      lanes: { by: ["bearer"], scripts: { default: { sequence: ["success", "success"] } } }
    })

    expect(() => server.assertDrained()).toThrow("lane `default` never appeared")
    answer()
    expect(server.requests[0]?.lane).toBe("default")
  })
})

describe("A target that cannot be read", () => {
  it.each([
    ["//?key=hunter2", "//"],
    ["http://user:hunter2@:bad/v1", ":bad/v1"],
    ["//user:hun?ter2@host:x", ""],
    ["//[/#hunter2", "//[/"]
  ])("is told without secrets: %s", (path, toldPath) => {
    const { server, answer, told } = virtualFaults({ sequence: ["success"], telemetry: "full" })

    expect(answer({ path }).status).toBe(404)

    expect(told).toMatchObject([{ type: "rejected", path: toldPath }])
    expect(JSON.stringify([told, server.traceEvents()])).not.toMatch(/hunter2|hun/)
  })
})

it("lanes by fingerprint are named by their beginning in messages", () => {
  const { server, answer } = virtualFaults({
    sequence: ["success", "success"],
    lanes: { by: ["fingerprint"], perLane: true }
  })
  answer()

  expect(() => server.assertDrained()).toThrow(/lane `[0-9a-f]{12}` used 1 of 2/)
  expect(server.requests[0]?.lane).toMatch(/^[0-9a-f]{64}$/)
})
