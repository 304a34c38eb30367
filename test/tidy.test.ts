import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { planted, type Samples } from "./tidy/planted.ts"
import { format, rules } from "./tidy/rules.ts"
import { importsOf } from "./tidy/scan.ts"
import { readTree } from "./tidy/tree.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

describe("in this tree", () => {
  const files = readTree(root, ["src", "machines", "properties", "bench", "test"])

  for (const rule of Object.values(rules)) {
    test(rule.title, () => {
      expect(rule.find(files).map(format).join("\n")).toBe("")
    })
  }
})

const samples: Readonly<Record<string, Samples | undefined>> = planted

for (const [name, rule] of Object.entries(rules)) {
  describe(`the rule "${rule.title}"`, () => {
    const { bad, good } = samples[name] ?? { bad: [], good: [] }

    test("finds what breaks it, at its place", () => {
      const found = bad.map(({ files }) => rule.find(files).map(({ path, line, found }) => `${path}:${line}: ${found}`))

      expect(found).toEqual(bad.map(({ finds }) => finds))
      expect(found).not.toEqual([])
    })

    test("lets pass what keeps it", () => {
      expect(good.map((files) => rule.find(files).map(format).join("\n"))).toEqual(good.map(() => ""))
    })
  })
}

test("a finding names the file, the line, what stands there and what to do", () => {
  const files = [{ path: "src/kernel/heap.ts", text: "\nexport const due = () => Date.now()\n" }]

  expect(rules.worldly.find(files).map(format)).toEqual([
    "src/kernel/heap.ts:2: says Date.now. Ask the Clock port; only src/live and the fence of src/sim touch the real one."
  ])
})

describe("the reader of imports", () => {
  const read = (text: string) =>
    importsOf({ path: "src/a.ts", text }).map(({ specifier, line, isType, isDynamic, names }) => {
      const kind = isType ? "type" : isDynamic ? "dynamic" : "value"
      return `${line} ${kind} ${specifier} ${names.join(",")}`.trim()
    })

  test("finds every form", () => {
    const text = [
      'import a from "./default.ts"',
      'import b, { c, type D as E } from "./both.ts"',
      'import * as f from "./namespace.ts"',
      'import type { G } from "./type.ts"',
      "export const x = 1",
      'export { h as i } from "./named.ts"',
      'export * from "./star.ts"',
      'export type * from "./type-star.ts"',
      "import {",
      "  j,",
      "  k",
      '} from "./lines.ts"',
      'import "./bare.ts"',
      'const l = await import("./dynamic.ts")',
      'type M = import("./inline.ts").M',
      'void import("./then.ts").then(() => {})'
    ].join("\n")

    expect(read(text)).toEqual([
      "1 value ./default.ts default",
      "2 value ./both.ts c,D,default",
      "3 value ./namespace.ts *",
      "4 type ./type.ts G",
      "6 value ./named.ts h",
      "7 value ./star.ts *",
      "8 type ./type-star.ts *",
      "9 value ./lines.ts j,k",
      "13 value ./bare.ts",
      "14 dynamic ./dynamic.ts *",
      "15 type ./inline.ts *",
      "16 dynamic ./then.ts *"
    ])
  })

  test("takes nothing from comments, strings, templates and regular expressions, but reads the code in a template", () => {
    const text = [
      '// import "./comment.ts"',
      '/* import "./block.ts" */',
      "const a = 'import \"./string.ts\"'",
      'const b = /["`] import "x"/.test(a) ? 1 / 2 : 3 / 4',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is code
      'const c = `import "./template.ts" ${await import("./inside.ts")} ${{ d: `}` }.d} import "./after.ts"`',
      'import "./real.ts"'
    ].join("\n")

    expect(read(text)).toEqual(["6 value ./real.ts", "5 dynamic ./inside.ts *"])
  })
})
