import { describe, expect, test } from "vitest"
import { shivizLog } from "../../src/report/shiviz.ts"
import { longTrace, tracedStep } from "./many-steps.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

interface ShivizEvent {
  readonly host: string
  readonly clock: Readonly<Record<string, number>>
  readonly event: string
}

/** Reads a log as ShiViz does: the first line is the expression, the second parts executions, the rest is matched. */
const readLog = (log: string): ReadonlyArray<ShivizEvent> => {
  const [pattern = "", delimiter, ...rest] = log.split("\n")
  expect(delimiter).toBe("")
  const text = rest.join("\n")
  const found = [...text.matchAll(new RegExp(pattern, "g"))]
  expect(text.replace(new RegExp(pattern, "g"), "").trim()).toBe("")
  return found.map(({ groups = {} }) => ({
    host: groups["host"] ?? "",
    clock: JSON.parse(groups["clock"] ?? ""),
    event: groups["event"] ?? ""
  }))
}

describe("the log for ShiViz", () => {
  test("begins with the expression that reads it", async () => {
    const log = shivizLog(clientsTrace(lateChoices).steps)

    expect(readLog(log)).toHaveLength(12)
    await expect(log).toMatchFileSnapshot("fixtures/late-answer.shiviz.log")
  })

  test("has clocks that begin at one and go on by one for each host, and never count ahead of another", () => {
    const seen = new Map<string, number>()
    for (const { host, clock } of readLog(shivizLog(longTrace(500).steps))) {
      seen.set(host, (seen.get(host) ?? 0) + 1)
      expect(clock[host]).toBe(seen.get(host))
      for (const [other, count] of Object.entries(clock)) expect(count).toBeLessThanOrEqual(seen.get(other) ?? 0)
    }
  })

  test("keeps actors apart whose names a log cannot hold", () => {
    const actors = ["a b", "a_b", "a%20.b", 'a"b', "a{b}", "", "a\nb", "%"]
    const steps = actors.map((actor, index) => tracedStep(index + 1, { actor, label: `to\n${actor}` }))

    expect(new Set(readLog(shivizLog(steps)).map(({ host }) => host)).size).toBe(actors.length)
  })

  test("holds the newest of very many steps, with clocks of their own", () => {
    const events = readLog(shivizLog(longTrace(6_000).steps))

    expect(events).toHaveLength(5_000)
    expect(events[0]?.event).toMatch(/^1001\. /)
    expect(Object.values(events[0]?.clock ?? {})).toEqual([1])
  })
})
