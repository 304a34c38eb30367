import { describe, expect, it } from "vitest"
import { forever, makeRawStage, says } from "../../../properties/observation/raw-stage.ts"
import { AgentClosed, FrameTooLarge } from "../../../src/domain/harness-errors.ts"
import { makeKeptResponses } from "../../../src/harness/raw/kept-responses.ts"
import { line } from "./raw-world.ts"

const note = `${line({ method: "n" })}\n`

const answer = (id: string): string => `${line({ id, result: {} })}\n`

describe("bounds of a raw client", () => {
  it("an agent that nobody listens to waits after 1,025 lines, and goes on when somebody does", async () => {
    const { client, settled, flow, turns, clock } = await makeRawStage({
      steps: [...Array.from({ length: 3_000 }, () => says(note)), says(answer("a")), forever]
    })
    clock.advance(100)
    await turns()

    expect(flow.filter((step) => step === "pause").length).toBeGreaterThan(0)
    expect(flow.at(-1)).toBe("pause")
    expect(await settled(client.responseForId("a"))).toMatchObject({ value: { id: "a" } })
    expect(client.notifications()).toHaveLength(3_000)
  })

  it("or after 8 MiB, of a line that has no end yet too", async () => {
    const piece = `"${"x".repeat(1_024 * 1_024)}", `
    const { client, settled, flow, clock } = await makeRawStage({
      steps: [says('{"id":"a","result":['), ...Array.from({ length: 12 }, () => says(piece)), says("1]}\n"), forever]
    })
    clock.advance(100)

    expect(flow.at(-1)).toBe("pause")
    expect(await settled(client.responseForId("a"))).toMatchObject({ value: { id: "a" } })
  })

  it("what an agent has said when it ends is there, although nobody listened", async () => {
    const { client, settled, clock, turns } = await makeRawStage({
      steps: [...Array.from({ length: 3_000 }, () => says(note)), says(answer("a"))]
    })
    for (let ms = 0; ms < 2_000; ms += 100) {
      clock.advance(100)
      await turns()
    }

    expect(await settled(client.responseForId("a"))).toMatchObject({ value: { id: "a" } })
  })

  it("a line that is too long ends it, behind the lines before it", async () => {
    const { client, settled } = await makeRawStage(
      { steps: [says(note), says("x".repeat(101)), forever], onTerminate: "ignore" },
      { lineBytesMax: 100 }
    )

    expect(await settled(client.nextMessage())).toMatchObject({ at: 0, value: { method: "n" } })
    const { at, error } = await settled(client.responseForId("a"))
    expect(at).toBe(250)
    expect(error).toBeInstanceOf(FrameTooLarge)
    expect(error).toMatchObject({ limit: 100, length: 101 })
    expect((await settled(client.sendLine("x"))).error).toBeInstanceOf(AgentClosed)
    expect(await settled(client.close())).toMatchObject({ at: 500, value: { signal: "SIGKILL" } })
  })

  it("shows no secret in an error", async () => {
    const { client, settled } = await makeRawStage(
      { steps: [says('{"key":"sk-12345678"}\n'), says("sk-12345678", "stderr"), forever] },
      {},
      { redact: (text) => text.replaceAll("sk-12345678", "<redacted>") }
    )
    const { error } = await settled(client.responseForId("a", { ms: 10 }))

    expect(String(error)).toContain('last: [{"key":"<redacted>"}])\nstderr: <redacted>\n')
    expect(String(error)).not.toContain("sk-12345678")
  })

  it("of responses that nobody waits for the newest are kept, in number and in size", () => {
    const few = makeKeptResponses({ entriesMax: 2, bytesMax: 1_000 })
    for (const id of ["a", "b", "c"]) few.keep(answer(id))
    const small = makeKeptResponses({ entriesMax: 100, bytesMax: 2 * answer("a").length })
    for (const id of ["a", "b", "c"]) small.keep(answer(id))

    for (const kept of [few, small]) expect(["a", "b", "c"].map(kept.has)).toEqual([false, true, true])
  })
})
