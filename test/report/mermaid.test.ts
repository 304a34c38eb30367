import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { sequenceDiagram } from "../../src/report/mermaid.ts"
import { failedTrace, longTrace, tracedStep } from "./many-steps.ts"
import { readDiagram } from "./mermaid-syntax.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

const linesOf = (diagram: string): ReadonlyArray<string> => diagram.split("\n")

/** How many steps a diagram says that it left out. */
const leftOutOf = (diagram: string): number =>
  [...diagram.matchAll(/… (\d+) steps? left out/g)].reduce((sum, [, count]) => sum + Number(count), 0)

/** How many steps a diagram shows. */
const shownIn = (diagram: string): number =>
  [...diagram.matchAll(/>>p\d+: \[\d+\] [^×\n]*(?:×(\d+))?/g)].reduce((sum, [, times]) => sum + Number(times ?? 1), 0)

describe("the sequence diagram", () => {
  test("shows what led to the failure and nothing else", async () => {
    const diagram = sequenceDiagram(clientsTrace(lateChoices))

    expect(readDiagram(diagram)).toEqual({ participants: ["c2", "server"], messages: 3, problems: [] })
    await expect(`${diagram}\n`).toMatchFileSnapshot("fixtures/late-answer.mmd")
  })

  test("names its participants in the order in which they come, whatever else is there", () => {
    const steps = ["b", "a", "c"].map((actor, index) => tracedStep(index + 1, { actor, cause: index || null }))

    expect(readDiagram(sequenceDiagram(failedTrace(steps))).participants).toEqual(["b", "a", "c"])
  })

  test("says how many steps it left out, and counts every step once", () => {
    const diagram = sequenceDiagram(longTrace(1_000))

    expect(readDiagram(diagram).problems).toEqual([])
    expect(linesOf(diagram).length).toBeLessThanOrEqual(40)
    expect(linesOf(diagram).length).toBeGreaterThan(37)
    expect(shownIn(diagram) + leftOutOf(diagram)).toBe(1_000)
    expect(diagram).toContain("[1000]")
    expect(diagram).toContain("[1]")
    expect(diagram.match(/⚑/g)).toHaveLength(10)
  })

  test("puts steps that look the same into one line", () => {
    const steps = Array.from({ length: 100 }, (_, index) => tracedStep(index + 1, { actor: "b", from: "a" }))

    expect(linesOf(sequenceDiagram(failedTrace(steps)))).toEqual([
      "sequenceDiagram",
      "  participant p1 as a",
      "  participant p2 as b",
      "  p1->>p2: [1] 1 ms message ×100",
      "  Note over p2: ✗ it broke"
    ])
  })

  test("fits into forty lines and parses, whatever is called how", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "end",
        "style a:b#c;d",
        "classDef x:#y;",
        "%%{init: {}}%%",
        "a;b\nc",
        "<img src=x onerror=alert(1)>",
        "#35;",
        "",
        "  ",
        "as b",
        "wrap: x",
        "$$x$$",
        "\u202Eevil",
        "\uD800",
        "x\\ny",
        "%%",
        "%%%{%%%"
      )
    )
    const steps = fc.array(
      fc.record({ actor: name, from: fc.option(name, { nil: undefined }), label: name, note: name }),
      {
        maxLength: 80,
        size: "max"
      }
    )
    fc.assert(
      fc.property(steps, name, (shapes, message) => {
        const trace = failedTrace(
          shapes.map((shape, index) => tracedStep(index + 1, { ...shape, cause: index || null }))
        )
        const diagram = sequenceDiagram({ ...trace, end: { ...trace.end, type: "ok", hash: null, token: null } })
        const failed = sequenceDiagram({ ...trace, end: { ...failedTrace([]).end, message } as typeof trace.end })
        for (const text of [diagram, failed]) {
          expect(readDiagram(text).problems).toEqual([])
          expect(linesOf(text).length).toBeLessThanOrEqual(40)
        }
        expect(shownIn(diagram) + leftOutOf(diagram)).toBeGreaterThanOrEqual(Math.min(1, shapes.length))
      }),
      { numRuns: 300 }
    )
  })

  test("counts every step once and fits, however many actors and equal steps there are", () => {
    const shape = fc.record({ actor: fc.nat(60), isNext: fc.boolean(), isChosen: fc.nat(9) })
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 200, size: "max" }), (shapes) => {
        let actor = 0
        const steps = shapes.map((next, index) => {
          if (next.isNext) actor = next.actor
          const draws = next.isChosen === 0 ? [{ label: "net", n: 2, answer: 1 }] : []
          return tracedStep(index + 1, { actor: `a${actor}`, cause: index || null, draws })
        })
        const diagram = sequenceDiagram(failedTrace(steps))
        expect(readDiagram(diagram).problems).toEqual([])
        expect(linesOf(diagram).length).toBeLessThanOrEqual(40)
        expect(shownIn(diagram) + leftOutOf(diagram)).toBe(steps.length)
        expect(diagram).toContain(`a${actor}`)
      })
    )
  })

  test("is there for a run without steps", () => {
    expect(readDiagram(sequenceDiagram(failedTrace([]))).problems).toEqual([])
  })
})

test("the checker of diagrams finds what is none", () => {
  const good = ["sequenceDiagram", "  participant p1 as a", "  p1->>p1: [1] 0 ms x"]
  const bad = [
    "  p1->>p2: x",
    "  p1->>p1: a;b",
    "  p1->>p1: a#b",
    "  p1->p1: x",
    "  Note over p1: ",
    "  end",
    "  p1->>p1: %%x"
  ]

  expect(readDiagram(good.join("\n")).problems).toEqual([])
  for (const line of bad) expect(readDiagram([...good, line].join("\n")).problems).toHaveLength(1)
  expect(readDiagram("graph TD").problems).toHaveLength(1)
})
