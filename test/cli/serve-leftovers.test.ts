import { afterEach, describe, expect, test } from "vitest"
import { startServe, stopAll } from "./fake-io.ts"
import { postChat } from "./requests.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

afterEach(stopAll)

const left = "understudy: the server was left with"

describe("serve --strict", () => {
  test("says on stderr when it stops what is left over, and ends with exit code 0 all the same", async () => {
    const one = "{ name: one, endpoint: Messages, kind: auxiliary, response: x }"
    const file = folder.write("left.yaml", `expectations: [${one}]\nturns: [a, b]\n`)
    const { url, signal, code, err } = await startServe("--strict", "--scenario", file)
    await postChat(url)

    signal("SIGTERM")

    expect(await code).toBe(0)
    const at = err.all.findIndex((line) => line.startsWith(left))
    expect(err.all.slice(at)).toEqual([
      `${left} 3 that nobody took, finished or expected:`,
      "expectation `one` (state: Pending)",
      "2 agent turns not taken",
      expect.stringContaining("unexpected /v1/chat/completions: the request is ChatCompletions, auxiliary")
    ])
  })

  test("says it as a record with --log jsonl, also when nothing is left over", async () => {
    const nothing = await startServe("--strict", "--log", "jsonl")
    const something = await startServe("--strict", "--log", "jsonl")
    await postChat(something.url)

    for (const { signal, code } of [nothing, something]) {
      signal("SIGINT")
      expect(await code).toBe(0)
    }

    expect(JSON.parse(nothing.out.all.at(-1) ?? "")).toEqual({ type: "leftovers", count: 0, lines: [] })
    expect(nothing.err.all.some((line) => line.startsWith(left))).toBe(false)
    expect(JSON.parse(something.out.all.at(-1) ?? "")).toEqual({
      type: "leftovers",
      count: 1,
      lines: [expect.stringContaining("unexpected /v1/chat/completions: ")]
    })
  })

  test("tells twenty of them, each cut short, and how many more there are", async () => {
    const name = "n".repeat(1_000)
    const one = `{ name: ${name}, endpoint: Messages, kind: auxiliary, times: 25, response: x }`
    const file = folder.write("many.yaml", `strict: true\nexpectations: [${one}]\n`)
    const { signal, code, err } = await startServe("--scenario", file)

    signal("SIGTERM")
    await code

    const lines = err.all.slice(err.all.findIndex((line) => line.startsWith(left)))
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      22,
      `${left} 25 that nobody took, finished or expected:`,
      "and 5 more"
    ])
    expect(Math.max(...lines.map(({ length }) => length))).toBe(400)
  })

  test("leaves a line on stderr for each request that it refuses, without the key", async () => {
    const { url, err } = await startServe("--strict", "--api-key", "secret-token")

    await postChat(url, { headers: { authorization: "Bearer secret-token" } })
    await postChat(url)
    await fetch(`${url}/embeddings/secret-token`, { method: "POST" })

    await err.first((line) => /^understudy: \d+\.\d{3} {2}refused POST \/v1\/embeddings\/\*\*\*: 404$/.test(line))
    expect(err.all.slice(1)).toEqual([
      expect.stringMatching(/#1 auxiliary ChatCompletions, refused: nothing is scripted for it: the request is/),
      expect.stringMatching(
        /#2 auxiliary ChatCompletions, refused: it has no valid key, and nothing is scripted for it: the request is/
      ),
      expect.any(String)
    ])
  })

  test("is the only one that says any of this", async () => {
    const file = folder.write("lenient.yaml", "turns: [a]\n")
    const { url, signal, code, err, out } = await startServe("--scenario", file, "--log", "jsonl")
    await fetch(`${url}/embeddings`, { method: "POST" })

    signal("SIGTERM")
    await code

    expect(err.all).toHaveLength(1)
    expect(out.all.join("\n")).not.toContain("leftovers")
  })
})
