import { describe, expect, test } from "vitest"
import { makeBooks } from "../../bench/soak/books.ts"
import { driftOf } from "../../bench/soak/flatness.ts"
import type { TraceFact } from "../../src/domain/trace-event.ts"

const request = (number: number): TraceFact => ({ type: "request", request: number, method: "POST", path: "/v1" })
const ended = (number: number): TraceFact => ({
  type: "ended",
  request: number,
  outcome: "completed",
  bytes: 1,
  events: 0
})
const registered = (name: string): TraceFact => ({ type: "expectation", name, actor: 1, barriers: [] })
const decided = (number: number, source: "expectation" | "replay", expectation: string): TraceFact => ({
  type: "decision",
  request: number,
  actor: 1,
  endpoint: "ChatCompletions",
  kind: "auxiliary",
  source,
  expectation,
  miss: null
})
const phase = (expectation: string, to: "Satisfied" | "Abandoned" | "Retired"): TraceFact => ({
  type: "phase",
  expectation,
  phase: to
})

const booksOf = (...facts: ReadonlyArray<TraceFact>) => {
  const books = makeBooks()
  for (const [index, fact] of facts.entries()) books.see({ ...fact, index, at: 0 })
  return books
}

describe("the books of a soak", () => {
  test("find nothing in what is right", () => {
    const books = booksOf(
      registered("a"),
      request(1),
      decided(1, "expectation", "a"),
      request(2),
      decided(2, "replay", "a"),
      phase("a", "Satisfied"),
      ended(1),
      ended(2),
      registered("b"),
      phase("b", "Retired"),
      registered("b")
    )
    expect(books.problemsAtTheEnd()).toEqual([])
    expect([books.requests(), books.claims(), books.outcomes()]).toEqual([
      2,
      { primaries: 1, replays: 1 },
      { completed: 2 }
    ])
  })

  test.each<[string, ReadonlyArray<TraceFact>, RegExp]>([
    ["a request without an end", [request(1)], /1 requests have no end, the first of them 1/],
    ["two ends", [request(1), ended(1), ended(1)], /request 1 has ended twice/],
    ["a number that is left out", [request(2)], /request 2 is the 1th/],
    [
      "two claims",
      [registered("a"), request(1), decided(1, "expectation", "a"), request(2), decided(2, "expectation", "a")],
      /a was claimed by request 2, and not pending/
    ],
    [
      "a copy of nothing",
      [registered("a"), request(1), decided(1, "replay", "a")],
      /joined a, which nobody has claimed/
    ],
    ["an end of nothing claimed", [registered("a"), phase("a", "Satisfied")], /a became Satisfied, claimed: false/],
    ["two ends of a call", [registered("a"), phase("a", "Retired"), phase("a", "Retired")], /a became Retired again/],
    ["a name twice", [registered("a"), registered("a")], /a was registered twice/],
    ["what was cut", [{ type: "closed", blocked: ["request 3"] }], /cut when it closed: request 3/]
  ])("find %s", (_, facts, problem) => {
    expect(
      booksOf(...facts)
        .problemsAtTheEnd()
        .join("; ")
    ).toMatch(problem)
  })

  test("find an event that is left out", () => {
    const books = makeBooks()
    books.see({ ...registered("a"), index: 0, at: 0 })
    books.see({ ...registered("b"), index: 2, at: 0 })
    expect(books.problems()).toEqual(["event 2 follows 0"])
  })
})

describe("readings of a soak", () => {
  const heap = { what: "heap", unit: "MiB" }
  const drift = (readings: ReadonlyArray<number>) => driftOf(heap, readings, (first) => first + 2)

  test("are flat where they go up and down, and where only the warm-up goes up", () => {
    expect(drift(Array.from({ length: 30 }, (_, at) => (at < 3 ? at : 20 + (at % 2))))).toMatchObject({ isFlat: true })
  })

  test("grow where the last third is above the bound, and are not flat where there are none", () => {
    expect(drift(Array.from({ length: 30 }, (_, at) => at))).toMatchObject({ isFlat: false })
    expect(drift([])).toMatchObject({ isFlat: false })
  })
})
