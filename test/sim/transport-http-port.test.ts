import { describe, expect, test } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { chatPost as post, simulated, startFaulty, startMock } from "./transport-world.ts"

/** The code of what caused a failed fetch. */
const codeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? Reflect.get(error.cause, "code") : error

describe("A server on a simulated port", () => {
  test("closes: idle connections at once, others when their answer is out", async () => {
    const { value } = await simulated(async (http, kernel) => {
      const server = await startMock(kernel, http.port)
      const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
      const held = server.expectResponseBlocked("held", chat, ScriptedResponse.text(200, "late"))
      const models = `${server.origin()}/v1/models`
      await (await http.fetch("c1")(models)).text()
      const answer = http
        .fetch("c2")(`${server.origin()}/v1/chat/completions`, post)
        .then((response) => response.text())
      await held.waitBlocked()
      const closing = server.close({ drainMs: 5_000 })
      await new Promise((resolve) => setTimeout(resolve, 100))
      const open = [http.client("c1").connections(), http.client("c2").connections()]
      held.release()
      const text = await answer
      await closing
      const late: unknown = await http
        .fetch("c1")(models)
        .catch((error) => error)
      return { open, text, late }
    })

    expect(value).toMatchObject({ open: [0, 1], text: "late", late: { cause: { code: "ECONNREFUSED" } } })
  })

  test("notices a client that leaves before its answer is out", async () => {
    const { value } = await simulated(async (http, kernel) => {
      const server = await startMock(kernel, http.port)
      const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
      const held = server.expectResponseBlocked("held", chat, ScriptedResponse.text(200, "late"))
      const leaving = new AbortController()
      const init = { ...post, signal: leaving.signal }
      const answer = http
        .fetch("c1")(`${server.origin()}/v1/chat/completions`, init)
        .catch(() => "left")
      await held.waitBlocked()
      const before = held.phase
      leaving.abort()
      await new Promise((resolve) => setTimeout(resolve, 10))
      return [before, await answer, held.phase]
    })

    expect(value).toEqual(["Blocked", "left", "Abandoned"])
  })

  test("counts the connects that it refuses by a fault", async () => {
    const { value } = await simulated(async (http, kernel) => {
      const server = await startFaulty(kernel, http.port, { sequence: ["success", "connection_refused", "success"] })
      const ask = async (): Promise<unknown> => {
        // The server closes what is idle when it begins to refuse; by then that has arrived.
        await new Promise((resolve) => setTimeout(resolve, 10))
        return await http
          .fetch("c1")(`http://127.0.0.1:${server.port}/v1/chat/completions`, post)
          .then(async (response) => (await response.text()).length > 0, codeOf)
      }
      return [await ask(), await ask(), await ask()]
    })

    expect(value).toEqual([true, "ECONNREFUSED", true])
  })
})
