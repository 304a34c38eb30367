import { expect, test } from "vitest"
import { frame, frames } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

/** What changes the bytes of a frame. */
export const byteActions = (setting: Setting): void => {
  /** What comes of these frames, as hex of all of it. */
  const passed = async (
    action: unknown,
    options: { readonly seed?: number; readonly framing?: "contentLength" | "ndjson"; readonly sent?: string } = {}
  ): Promise<string> => {
    const { sent = frames("abcd", "efgh"), ...rest } = options
    const { world, proxy, through } = await startIn(setting, {
      ...rest,
      plan: { rules: [{ match: { index: 1 }, action }] }
    })
    const { client, upstream } = await through()
    void client.write(sent)
    client.socket.end()
    await world.settled(upstream.ended)
    await world.settled(proxy.stop())
    return upstream.text()
  }
  const behind = frames("efgh")

  test("corrupt: the byte that a rule says, from either end, and none outside of the frame", async () => {
    expect(await passed({ type: "corrupt", offset: 4, xor: 1 })).toBe(`\0\0\0\u0004\`bcd${behind}`)
    expect(await passed({ type: "corrupt", offset: -1, xor: 2 })).toBe(`\0\0\0\u0004abcf${behind}`)
    expect(await passed({ type: "corrupt", offset: 3, xor: 1 })).toBe(`\0\0\0\u0005abcd${behind}`)
    expect(await passed({ type: "corrupt", offset: 8, xor: 1 })).toBe(frames("abcd", "efgh"))
  })

  test("corrupt: a byte of the body that follows from the seed", async () => {
    const sent = frames("a".repeat(100), "efgh")
    const seen = new Set<string>()
    for (const seed of [1, 2, 3, 1, 2, 3]) {
      const came = await passed({ type: "corrupt", xor: 1 }, { seed, sent })
      expect(came.slice(0, 4)).toBe(sent.slice(0, 4))
      expect([...came].filter((letter, at) => letter !== sent[at])).toEqual(["`"])
      seen.add(came)
    }
    expect(seen.size).toBe(3)
  })

  test("truncateBody: the header says what was there, and what follows is taken for the rest", async () => {
    expect(await passed({ type: "truncateBody", keep: 1 })).toBe(`\0\0\0\u0004a${behind}`)
    expect(await passed({ type: "truncateBody", keep: 4 })).toBe(frames("abcd", "efgh"))
  })

  test("badLength: the header lies, in each framing that has a length", async () => {
    expect(await passed({ type: "badLength", value: 258 })).toBe(`\0\0\u0001\u0002abcd${behind}`)
    expect(await passed({ type: "badLength", value: 7 }, { framing: "ndjson", sent: "{}\n" })).toBe("{}\n")
    const sent = "Content-Length: 2\r\nx: y\r\n\r\nhi"
    expect(await passed({ type: "badLength", value: 1_000 }, { framing: "contentLength", sent })).toBe(
      sent.replace("2", "1000")
    )
  })

  test("transformations follow one another as the rules do", async () => {
    const rules = [
      { type: "truncateBody", keep: 2 },
      { type: "corrupt", offset: -1, xor: 1 },
      { type: "badLength", value: 2 },
      { type: "duplicate" }
    ].map((action) => ({ match: { index: 1 }, action }))
    const { world, proxy, through } = await startIn(setting, { plan: { rules } })
    const { client, upstream } = await through()

    void client.write(frame("abcd"))
    await world.settled(upstream.has(frames("ac", "ac").length))

    expect(upstream.text()).toBe(frames("ac", "ac"))
    await world.settled(proxy.stop())
  })
}
