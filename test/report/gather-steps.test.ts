import { describe, expect, test } from "vitest"
import { listedChoice } from "../../src/kernel/choice-sources.ts"
import type { OpSpec } from "../../src/kernel/op.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"
import { gatherSteps } from "../../src/report/gather-steps.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

describe("the steps of a kernel as reports show them", () => {
  test("name the step that caused them, and who sent them", () => {
    const { steps } = clientsTrace(lateChoices)

    const answer = steps.find(({ label }) => label === "answer")
    const cause = steps.find(({ step }) => step === answer?.cause)
    expect(cause?.label).toBe("request")
    expect(answer?.from).toBe("server")
    expect(steps.find(({ label }) => label === "timeout")?.from).toBeUndefined()
  })

  // Seen to fail when the actor of the cause counted first: promises of ann go on in a step of the server.
  test("come from whom they say, or their channel, before their cause; timers come from nobody", () => {
    const kernel = makeSimKernel({ choice: listedChoice([]) })
    const plan = (spec: Omit<OpSpec, "kind" | "label">, kind: OpSpec["kind"] = "deliver", then = () => {}): void =>
      void kernel.plan(0, { kind, label: "l", ...spec }, then)
    plan({ actor: "bob" })
    plan({ actor: "server" }, "deliver", () => {
      plan({ actor: "ann", channel: "bob>ann" })
      plan({ actor: "ann", from: "cat", channel: "bob.2>ann" })
      plan({ actor: "ann", channel: "timer/ann/5" }, "timer")
      plan({ actor: "ann" }, "task")
      plan({ actor: "ann" })
    })
    while (kernel.step() !== null);

    const steps = gatherSteps(kernel.steps())
    expect(steps.map(({ from = "nobody" }) => from)).toEqual([
      "nobody",
      "nobody",
      "bob",
      "cat",
      "nobody",
      "nobody",
      "server"
    ])
  })

  test("hold the draw that picked them and then those that were made while they happened", () => {
    const kernel = makeSimKernel({ choice: listedChoice([1, 1, 2, 1, 3]) })
    for (const actor of ["a", "b"])
      kernel.plan(0, { kind: "task", label: "ask", actor }, () => void kernel.choice.draw(4, `of/${actor}`))
    kernel.choice.draw(2, "before")
    while (kernel.step() !== null);

    const steps = gatherSteps(kernel.steps(), { draws: kernel.draws })

    expect(steps.map(({ actor, draws }) => [actor, ...draws.map(({ label, answer }) => `${label} ${answer}`)])).toEqual(
      [
        ["b", "before 1", "schedule 1", "of/b 2"],
        ["a", "of/a 1"]
      ]
    )
    expect(steps.flatMap(({ draws }) => draws)).toEqual(kernel.draws)
  })

  test("show the last draws also when the oldest steps are gone", () => {
    const kernel = makeSimKernel({ choice: listedChoice([1, 2, 3]), stepsMax: 2 })
    for (const actor of ["a", "b", "c"])
      kernel.plan(
        0,
        { kind: "task", label: "ask", actor, channel: "one" },
        () => void kernel.choice.draw(4, `of/${actor}`)
      )
    while (kernel.step() !== null);

    const steps = gatherSteps(kernel.steps(), { draws: kernel.draws })

    expect(steps.map(({ step, draws }) => [step, draws.map(({ label }) => label)])).toEqual([
      [2, ["of/a", "of/b"]],
      [3, ["of/c"]]
    ])
  })
})
