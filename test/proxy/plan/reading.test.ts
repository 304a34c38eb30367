import { expect, test } from "vitest"
import { readPlan } from "../../../src/proxy/plan/read-plan.ts"

const refused: ReadonlyArray<readonly [unknown, string]> = [
  [7, "the fault plan is 7; use an object with rules, direction, dropFrame"],
  [{ dropframe: 1 }, '`dropframe` of the fault plan is not known; did you mean "dropFrame"?'],
  [{ dropFrame: -1 }, "`dropFrame` of the fault plan is -1; use a whole number from 0"],
  [{ delay: { frame: 1 } }, "`delay.ms` of the fault plan is undefined; use a whole number"],
  [{ direction: "leaderToclient" }, 'did you mean "leaderToClient"?'],
  [{ rules: [{ action: "dorp" }] }, '`rules[0].action` of the fault plan is "dorp"; use one of drop, sever'],
  [{ rules: [{}] }, "`rules[0].action` of the fault plan is undefined; use an object with type"],
  [{ rules: [{ action: { type: "corrupt", xor: 0 } }] }, "`rules[0].action.xor` of the fault plan is 0"],
  [{ rules: [{ action: { type: "inject", bytes: { hex: "0" } } }] }, "`rules[0].action.bytes.hex` of the fault plan"],
  [{ rules: [{ action: "drop", match: { where: { a: 1 } } }] }, 'has "a", which is no JSON pointer'],
  [
    { rules: [{ action: "drop", match: { range: { from: 3, to: 2 } } }] },
    "`rules[0].match.range.to` of the fault plan"
  ],
  [
    {
      rules: [
        { id: "a", action: "drop" },
        { id: "a", action: "drop" }
      ]
    },
    '`rules[1].id` of the fault plan is "a", as that of a rule before it'
  ]
]

for (const [plan, message] of refused) {
  test(`refuses ${JSON.stringify(plan)} with the place`, () => {
    expect(() => readPlan(plan)).toThrow(message)
  })
}

test("takes nothing for a plan without faults", () => {
  expect([readPlan(), readPlan(null), readPlan({})]).toEqual([{ rules: [] }, { rules: [] }, { rules: [] }])
})
