import { describe, expect, test } from "vitest"
import { htmlTimeline } from "../../src/report/timeline.ts"
import { timelineLanes } from "../../src/report/timeline-lanes.ts"
import { timelineScript } from "../../src/report/timeline-script.ts"
import { sayDuration } from "../../src/report/virtual-duration.ts"
import { failedTrace, longTrace, tracedStep } from "./many-steps.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

/** The data that a page holds. */
const dataOf = (
  html: string
): { readonly steps: ReadonlyArray<Readonly<Record<string, unknown>>> } & Readonly<Record<string, unknown>> =>
  JSON.parse(/<script type="application\/json" id="run">(.*?)<\/script>/s.exec(html)?.[1] ?? "")

const nasty = '</script><script>document.title="owned"</script><!--<img src=x onerror=alert(1)> &amp; "\'\u2028'

describe("the timeline page", () => {
  test("is the same for the same run", () => {
    expect(htmlTimeline(clientsTrace(lateChoices))).toBe(htmlTimeline(clientsTrace(lateChoices)))
  })

  test("names nothing that is elsewhere", () => {
    const html = htmlTimeline(clientsTrace(lateChoices))

    expect(html).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|<iframe|\bfetch\(|XMLHttpRequest|WebSocket/i)
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual(["data:,"])
  })

  test("has two scripts and one style, whatever the run's texts hold, and keeps those texts", () => {
    const step = tracedStep(1, { actor: nasty, from: nasty, label: nasty, note: nasty, bytes: nasty, state: nasty })
    const trace = failedTrace([{ ...step, draws: [{ label: nasty, n: 2, answer: 1 }], channel: nasty }])
    const header = { ...trace.header, title: nasty, strategy: nasty, options: { [nasty]: nasty } }
    const end = { ...trace.end, type: "failed", message: nasty, token: nasty } as typeof trace.end
    const html = htmlTimeline({ ...trace, header, end })

    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script/g)).toHaveLength(2)
    expect(html).not.toContain("<img")
    expect(html).not.toContain("<!--")
    expect(dataOf(html).steps[0]).toMatchObject({ label: nasty, actor: nasty, note: nasty, state: nasty })
    expect(dataOf(html).steps[0]?.["bytes"]).toBe(nasty.replace("\u2028", "\\u{2028}"))
  })

  test("says what the failure depends on and where it failed", () => {
    expect(dataOf(htmlTimeline(clientsTrace(lateChoices)))).toMatchObject({
      failed: [7],
      needed: [3, 6, 7],
      actors: ["c3", "server", "c1", "c2"],
      total: 12
    })
  })

  test("holds no more bytes than a page can, and says that it leaves some out", () => {
    const big = "x".repeat(100_000)
    const html = htmlTimeline(
      failedTrace(Array.from({ length: 3_000 }, (_, index) => tracedStep(index + 1, { bytes: big })))
    )

    expect(html.length).toBeLessThan(6_000_000)
    expect(html).toContain("left out, as the page holds enough already")
  })

  test("shows the newest of very many steps", () => {
    const data = dataOf(htmlTimeline(longTrace(50_010)))

    expect(data.steps).toHaveLength(50_000)
    expect(data.steps[0]?.["i"]).toBe(11)
    expect(data["total"]).toBe(50_010)
  })

  test("has a script that parses and says durations as we do", () => {
    expect(() => new Function(timelineLanes + timelineScript)).not.toThrow()
    const say: unknown = new Function(`${timelineScript.split("function makeModel")[0]}; return sayDuration`)()
    if (typeof say !== "function") throw new Error("no function")
    for (const ms of [
      0,
      0.5,
      1 / 3,
      999.9999,
      1_000,
      1_250.5,
      59_999,
      60_000,
      61_500,
      3_599_999,
      3_600_000,
      5e6,
      1e8,
      1e10
    ])
      expect(say(ms)).toBe(sayDuration(ms))
  })
})

test("durations are said with at most two units", () => {
  expect([0, 0.5, 12.3456, 1_250, 60_000, 123_500, 7_260_000, 557_940_000].map(sayDuration)).toEqual([
    "0 ms",
    "0.5 ms",
    "12.346 ms",
    "1.25 s",
    "1 min",
    "2 min 3.5 s",
    "2 h 1 min",
    "6 d 10 h"
  ])
})
