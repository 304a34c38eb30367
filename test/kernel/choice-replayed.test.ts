import { describe, expect, it } from "vitest"
import { ReplayDiverged, replayedChoice } from "../../src/kernel/choice-replayed.ts"

const record = [
  { label: "net/c1/latency", n: 5, answer: 3 },
  { label: "schedule", n: 2, answer: 1 }
]

const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  return null
}

describe("A record that is replayed", () => {
  it("gives its answers again", () => {
    const choice = replayedChoice(record)

    expect([choice.draw(5, "net/c1/latency"), choice.draw(2, "schedule")]).toEqual([3, 1])
    expect(() => choice.finish()).not.toThrow()
  })

  it("stops at a draw with another label, and says which draw, what was expected and what came", () => {
    const choice = replayedChoice(record)
    choice.draw(5, "net/c1/latency")
    const error = thrownBy(() => choice.draw(2, "fault/c1"))

    expect(error).toBeInstanceOf(ReplayDiverged)
    expect(error).toMatchObject({
      _tag: "ReplayDiverged",
      draw: 1,
      expected: { label: "schedule", n: 2 },
      met: { label: "fault/c1", n: 2 }
    })
    expect(String(error)).toContain("diverged at draw 1: expected schedule of 2, met fault/c1 of 2")
  })

  it("stops at a draw with another number of possibilities", () => {
    expect(() => replayedChoice(record).draw(6, "net/c1/latency")).toThrow("net/c1/latency of 6")
  })

  it("stops where the record ends", () => {
    const choice = replayedChoice([])

    expect(() => choice.draw(2, "x")).toThrow("expected the end of the record, met x of 2")
  })

  it("is not finished when the run ended early, or caught the divergence", () => {
    expect(() => replayedChoice(record).finish()).toThrow("met the end of the run")

    const caught = replayedChoice(record)
    thrownBy(() => caught.draw(2, "x"))
    expect(() => caught.finish()).toThrow("met x of 2")
    expect(() => caught.draw(5, "net/c1/latency")).toThrow("met x of 2")
  })
})
