import { execFile } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { MockInferenceServer } from "../../src/index.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")
const run = promisify(execFile)
const documented = "http://127.0.0.1:4010/v1"

/** The fenced blocks of a language, in order. */
const blocks = (language: string): ReadonlyArray<string> =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code]) => code ?? "")

test("the first example is a test that runs as written, of at most 25 lines", () => {
  const [first = ""] = blocks("ts")

  expect(first).toBe(readFileSync(new URL("first-example.test.ts", import.meta.url), "utf8"))
  expect(first.trimEnd().split("\n").length).toBeLessThanOrEqual(25)
})

test("the curl line gets the echo it promises", async () => {
  await using server = await MockInferenceServer.start()
  const curl = blocks("sh").find((block) => block.startsWith("curl")) ?? ""
  const url = /http:\/\/\S+/.exec(curl)?.[0] ?? ""
  const [, header = ""] = /-H '([^']*)'/.exec(curl) ?? []
  const [, body = ""] = /-d '([^']*)'/.exec(curl) ?? []
  const [name = "", value = ""] = header.split(": ")

  const answer = await fetch(url.replace(documented, server.url()), {
    method: "POST",
    headers: { [name]: value },
    body
  })

  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Echo: ping pong" } }] })
})

test("the SDK example prints what its comment says", async () => {
  await using server = await MockInferenceServer.start()
  const [, example = ""] = blocks("ts")
  const file = new URL("sdk-example.generated.mjs", import.meta.url)
  writeFileSync(file, example.replace(documented, server.url()))
  try {
    const { stdout } = await run(process.execPath, [fileURLToPath(file)])

    expect(stdout).toBe("Echo: ping pong\n")
    expect(example).toContain("// Echo: ping pong")
  } finally {
    rmSync(file)
  }
})

test("every subpath of the package has its row", () => {
  const { exports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  const names = Object.keys(exports).filter((name) => name !== "./package.json")

  for (const name of names) expect(readme).toContain(`| \`llm-understudy${name.slice(1)}\` |`)
})
