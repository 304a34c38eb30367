import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { headerOf, virtualFaults } from "../support/fault-world.ts"

it("a body that is nested too deep to be spelled has a lane all the same", () => {
  const { server, answer } = virtualFaults({ sequence: ["success"], repeatLast: true, lanes: { by: ["json:/a"] } })
  const deep = (depth: number) => `{"stream":true,"a":${"[".repeat(depth)}${"]".repeat(depth)}}`

  expect([answer({ body: deep(20_000) }).status, answer({ body: deep(20_000) }).status]).toEqual([200, 200])
  expect(answer({ body: deep(20_001) }).status).toBe(200)
  expect(server.requests.map(({ laneAttempt }) => laneAttempt)).toEqual([1, 2, 1])
  expect(server.requests.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"])
})

it("a promise of another realm that an observer rejects is the observer's affair", async () => {
  const rejections: Array<unknown> = []
  const see = (reason: unknown): void => void rejections.push(reason)
  process.on("unhandledRejection", see)
  const { answer } = virtualFaults({
    sequence: ["success"],
    onEvent: () => runInNewContext("Promise.reject(new Error('late'))")
  })

  answer()
  await new Promise((resolve) => setImmediate(resolve))

  process.off("unhandledRejection", see)
  expect(rejections).toEqual([])
})

it("errors alone tell how long a connection may be idle, whatever the type of the others", () => {
  const { answer } = virtualFaults({
    sequence: ["wrong_content_type", "json_error_ok", "success", "redirect", "conflict"]
  })
  const told = (body?: unknown) => {
    const response = answer(body === undefined ? {} : { body })
    return [response.status, headerOf(response, "keep-alive")]
  }

  expect([told(), told(), told({ stream: false }), told(), told()]).toEqual([
    [200, undefined],
    [200, undefined],
    [200, undefined],
    [307, undefined],
    [409, "timeout=5"]
  ])
})
