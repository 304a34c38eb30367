import type { rules } from "./rules.ts"
import type { SourceFile } from "./scan.ts"

/** Trees on which one rule is tried. */
export interface Samples {
  /** Trees that break the rule, with the places it must find in each. */
  readonly bad: ReadonlyArray<{ readonly files: ReadonlyArray<SourceFile>; readonly finds: ReadonlyArray<string> }>
  /** Trees that look like it and keep the rule. */
  readonly good: ReadonlyArray<ReadonlyArray<SourceFile>>
}

const at = (path: string, ...lines: ReadonlyArray<string>): SourceFile => ({ path, text: `${lines.join("\n")}\n` })
const bad = (file: SourceFile, ...finds: ReadonlyArray<string>) => ({
  files: [file],
  finds: finds.map((found) => `${file.path}:${found}`)
})
const machine = (id: string) => `= setup({}).createMachine({ id: "${id}", initial: "open" })`

/** What each rule must find, and what it must not. */
export const planted: Readonly<Record<keyof typeof rules, Samples>> = {
  layers: {
    bad: [
      bad(at("src/domain/a.ts", 'import { b } from "../wire/b.ts"'), "1: imports src/wire/b.ts"),
      bad(at("src/domain/a.ts", 'import type { B } from "../wire/b.ts"'), "1: imports src/wire/b.ts"),
      bad(at("src/domain/a.ts", 'import { Effect } from "effect"'), "1: imports { Effect } of effect"),
      bad(at("src/domain/a.ts", 'import { readFileSync } from "node:fs"'), "1: imports node:fs"),
      bad(at("src/kernel/a.ts", 'import { createHash } from "node:crypto"'), "1: imports node:crypto"),
      bad(at("src/kernel/a.ts", 'import { Option } from "effect"'), "1: imports { Option } of effect"),
      bad(at("machines/a.machine.ts", 'import { x } from "../src/kernel/x.ts"'), "1: imports src/kernel/x.ts"),
      bad(at("src/supervisor/chart.ts", 'import { Scope } from "effect"'), "1: imports { Scope } of effect"),
      bad(at("src/inference/a.ts", 'import { b } from "../harness/b.ts"'), "1: imports src/harness/b.ts"),
      bad(at("src/inference/a.ts", 'import { b } from "../faults/proxy.ts"'), "1: imports src/faults/proxy.ts"),
      bad(at("src/inference/decision.ts", 'import { Effect } from "effect"'), "1: imports { Effect } of effect"),
      bad(at("src/harness/a.ts", 'import { b } from "../serving/b.ts"'), "1: imports src/serving/b.ts"),
      bad(at("src/serving/a.ts", 'import * as http from "node:http"'), "1: imports node:http"),
      bad(at("src/serving/a.ts", 'import { b } from "../live/b.ts"'), "1: imports src/live/b.ts"),
      bad(at("src/serving/a.ts", 'import { Sse } from "effect/encoding"'), "1: imports effect/encoding"),
      bad(at("src/sim/clock.ts", 'import { createServer } from "node:http"'), "1: imports node:http"),
      bad(at("src/index.ts", 'export { main } from "./cli/main.ts"'), "1: imports src/cli/main.ts"),
      bad(at("src/serving/a.ts", 'import { x } from "../index.ts"'), "1: imports src/index.ts"),
      bad(at("src/index.ts", 'import OpenAI from "openai"'), "1: imports openai"),
      bad(at("properties/a.property.ts", 'const x = await import("../src/live/b.ts")'), "1: imports src/live/b.ts"),
      bad(at("properties/arbitraries/a.ts", 'import { b } from "../../test/b.ts"'), "1: imports test/b.ts"),
      bad(at("src/extras/a.ts", "export const a = 1"), "1: this folder is in no row of the table")
    ],
    good: [
      [at("src/domain/a.ts", 'import { Schema, pipe } from "effect"', 'import { createHash } from "node:crypto"')],
      [at("src/domain/a.ts", 'import * as Option from "effect/Option"', '// import "../wire/b.ts"')],
      [at("machines/a.machine.ts", 'import { setup } from "xstate"', 'import { b } from "../src/domain/b.ts"')],
      [at("src/supervisor/connection.ts", 'import { Scope } from "effect"')],
      [at("src/inference/a.ts", 'import { catalogue } from "../faults/catalogue/index-of-faults.ts"')],
      [at("src/sim/fence/globals.ts", 'import { hook } from "node:module"')],
      [at("src/live/a.ts", 'import { request } from "undici"', 'import { connect } from "node:net"')],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is code
      [at("properties/a.property.ts", 'import { b } from "../test/b.ts"', "const c = await import(`../src/${name}`)")],
      [at("src/cli/main.ts", 'import { x } from "../index.ts"'), at("test/a.test.ts", 'import OpenAI from "openai"')]
    ]
  },
  cycles: {
    bad: [
      {
        files: [
          at("src/wire/b.ts", "", 'import { a } from "./a.ts"'),
          at("src/wire/a.ts", 'import { c } from "./c.ts"'),
          at("src/wire/c.ts", 'export { b } from "./b.ts"')
        ],
        finds: ["src/wire/a.ts:1: imports itself: src/wire/a.ts -> src/wire/c.ts -> src/wire/b.ts -> src/wire/a.ts"]
      },
      bad(at("src/wire/a.ts", 'import "./a.ts"'), "1: imports itself: src/wire/a.ts -> src/wire/a.ts")
    ],
    good: [
      [at("src/wire/a.ts", 'import { b } from "./b.ts"'), at("src/wire/b.ts", 'import type { A } from "./a.ts"')],
      [
        at("src/wire/a.ts", 'import "./b.ts"', 'import "./c.ts"'),
        at("src/wire/b.ts", 'import "./c.ts"'),
        at("src/wire/c.ts")
      ]
    ]
  },
  specifiers: {
    bad: [
      bad(at("src/wire/a.ts", 'import { b } from "./b"'), '1: imports "./b"'),
      bad(at("src/wire/a.ts", 'import { b } from "./b.js"'), '1: imports "./b.js"'),
      bad(at("src/wire/a.ts", 'import { b } from ".."'), '1: imports ".."'),
      bad(at("src/wire/a.ts", 'import { b } from "#wire/b.ts"'), '1: imports "#wire/b.ts"'),
      bad(at("src/wire/a.ts", 'import { b } from "src/wire/b.ts"'), '1: imports "src/wire/b.ts"'),
      bad(at("src/wire/a.ts", 'export * from "llm-understudy/sse"'), '1: imports "llm-understudy/sse"')
    ],
    good: [
      [at("src/wire/a.ts", 'import { b } from "./b.ts"', 'import { c } from "xstate"')],
      [at("test/a.test.ts", 'import { b } from "llm-understudy"', 'import { c } from "./conformance/run.mjs"')]
    ]
  },
  lazyPackages: {
    bad: [bad(at("src/cli/main.ts", 'const { parse } = await import("yaml")'), '1: import("yaml")')],
    good: [
      [at("src/cli/main.ts", 'const { serve } = await import("./serve.ts")', 'const m = await import("node:net")')]
    ]
  },
  worldly: {
    bad: [
      bad(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is code
        at("src/serving/a.ts", "const a = Date.now()", "const b = new Date( )", "const c = `${performance.now()}`"),
        "1: says Date.now",
        "2: says new Date( )",
        "3: says performance.now"
      ),
      bad(at("src/cli/main.ts", "process.hrtime.bigint()"), "1: says process.hrtime"),
      bad(
        at("machines/a.machine.ts", "setTimeout(f, 1)", "setInterval(f, 1)", "setImmediate(f)"),
        "1: says setTimeout",
        "2: says setInterval",
        "3: says setImmediate"
      ),
      bad(at("properties/a.property.ts", "Math.random()"), "1: says Math.random"),
      bad(at("src/index.ts", 'import { randomUUID } from "node:crypto"'), "1: says randomUUID")
    ],
    good: [
      [at("src/live/clock.ts", "setTimeout(f, Date.now())"), at("src/sim/fence.ts", "Math.random = draw")],
      [at("test/a.test.ts", "const a = Date.now()"), at("bench/a.ts", "setTimeout(f, 1)")],
      [at("src/serving/a.ts", "// not Date.now()", 'const text = "Math.random()"', "const day = new Date(0)")]
    ]
  },
  running: {
    bad: [
      bad(at("src/serving/a.ts", "Effect.runPromise(x)"), "1: calls Effect.runPromise"),
      bad(at("src/live/a.ts", "", "NodeRuntime.runMain(x)"), "2: calls NodeRuntime.runMain"),
      bad(at("properties/arbitraries/a.ts", "Effect.runSync(x)"), "1: calls Effect.runSync")
    ],
    good: [
      [at("src/index.ts", "Effect.runPromise(x)"), at("src/cli/main.ts", "NodeRuntime.runMain(x)")],
      [at("src/campaign/sim-thread-work.ts", "Effect.runSync")],
      [at("test/a.test.ts", "Effect.runSync(x)"), at("src/serving/a.ts", "// Effect.runSync", "Effect.succeed(1)")]
    ]
  },
  length: {
    bad: [
      bad(at("src/wire/a.ts", ...Array<string>(301).fill("f()")), "1: has 301 lines, more than 300"),
      bad(
        at("src/wire/a.ts", "f()", "// Long: too late", ...Array<string>(300).fill("f()")),
        "1: has 302 lines, more than 300"
      )
    ],
    good: [
      [at("src/wire/a.ts", ...Array<string>(300).fill("f()"))],
      [at("src/wire/a.ts", "// Long: one table with a row for each option.", ...Array<string>(400).fill("f()"))],
      [
        at(
          "src/wire/a.ts",
          "/**",
          " * All options. Long, for it is one table.",
          " */",
          ...Array<string>(400).fill("f()")
        )
      ]
    ]
  },
  defaults: {
    bad: [
      bad(at("src/wire/a.ts", "", "export default 1"), "2: exports a default"),
      bad(at("src/wire/a.ts", "export { a as default }"), "1: exports a default")
    ],
    good: [[at("test/vitest.config.ts", "export default {}"), at("src/wire/a.ts", "// export default 1")]]
  },
  barrels: {
    bad: [
      bad(
        at("src/wire/all.ts", "/** All. */", 'export * from "./a.ts"', 'export { b, type C } from "./b.ts"'),
        "1: holds nothing but exports of other files"
      ),
      bad(
        at("src/wire/all.ts", 'import { a } from "./a.ts"', "export { a }"),
        "1: holds nothing but exports of other files"
      )
    ],
    good: [
      [at("src/index.ts", 'export * from "./wire/a.ts"'), at("src/sse.ts", 'export { b } from "./wire/b.ts"')],
      [at("src/wire/a.ts", 'export { b } from "./b.ts"', "export const a = 1")],
      [at("src/live/setup.ts", 'import "./b.ts"')]
    ]
  },
  machines: {
    bad: [
      bad(at("machines/words.ts", "export const words = []"), "1: is no machine file"),
      bad(
        at("machines/live-call.machine.ts", `export const callMachine ${machine("live-call")}`),
        '1: has "export const callMachine"',
        '1: has no "export const liveCallMachine"'
      ),
      bad(
        at("machines/gate.machine.ts", `export const gateMachine ${machine("gate")}`, "export function open() {}"),
        '2: has "export function open"'
      ),
      bad(
        at("machines/gate.machine.ts", "", `export const gateMachine ${machine("door")}`),
        `2: the chart's id is "door"`
      ),
      bad(
        at("machines/gate.machine.ts", "export const gateMachine = setup({}).createMachine({ initial: x })"),
        "1: the chart does not begin with its id"
      ),
      bad(
        at("machines/gate.machine.ts", `const gateMachine ${machine("gate")}`),
        '1: has no "export const gateMachine"'
      )
    ],
    good: [
      [
        at(
          "machines/live-call.machine.ts",
          "export type LiveCallEvent = { readonly type: string }",
          "export interface LiveCallInput { readonly name: string }",
          `export const liveCallMachine ${machine("live-call")}`
        )
      ]
    ]
  },
  names: {
    bad: [
      bad(at("src/wire/sseFrame.ts"), "1: the path is not in kebab-case"),
      bad(at("src/wire/sse_frame.ts"), "1: the path is not in kebab-case"),
      bad(at("src/Wire/frame.ts"), "1: the path is not in kebab-case"),
      bad(at("src/wire/frame.long.test.ts"), "1: the path is not in kebab-case"),
      bad(at("src/wire/string-utils.ts"), '1: "utils" says nothing'),
      bad(at("src/common/frame.ts"), '1: "common" says nothing'),
      bad(at("src/wire/handler2.ts"), '1: "handler2" says nothing')
    ],
    good: [[at("src/wire/sse-frame.ts"), at("machines/live-call.machine.ts"), at("test/wire/http1-frame.test.ts")]]
  }
}
