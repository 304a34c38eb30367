import { describe, expect, it } from "vitest"
import { makeOpenSearches } from "../../src/campaign/open-searches.ts"

const watched = () => {
  const lines: Array<string> = []
  const ends: Array<() => void> = []
  const searches = makeOpenSearches(
    (line) => lines.push(line),
    (work) => ends.push(work)
  )
  const explore = (search: () => Promise<number>): Promise<number> => searches.during("explore", explore, search)
  const end = (): void => {
    for (const work of ends) work()
  }
  return { explore, lines, end }
}

// Seen to fail while nothing was said, and when a search that has ended stays in the list.
describe("A search that goes on when the tests end", () => {
  it("is told, with the place that began it", () => {
    const { explore, lines, end } = watched()
    void explore(() => new Promise(() => {}))
    end()

    expect(lines).toEqual([expect.stringMatching(/^explore \(.*open-searches\.test\.ts:\d+:\d+\) was still searching/)])
  })

  it("is not told when it was awaited, whatever came of it", async () => {
    const { explore, lines, end } = watched()
    await explore(async () => 1)
    await expect(explore(() => Promise.reject(new Error("found")))).rejects.toThrow("found")
    end()

    expect(lines).toEqual([])
  })
})
