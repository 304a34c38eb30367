import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const root = new URL("../../", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), "utf8")
const pages = ["README.md", ...readdirSync(new URL("docs/", root)).map((name) => `docs/${name}`)]
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(folder, root)).flatMap((name) => (name.endsWith(".ts") ? [`${folder}${name}`] : []))
const tests = [
  "test/readme/first-example.test.ts",
  "test/readme/retry-policy.test.ts",
  ...filesIn("test/examples/"),
  ...filesIn("test/readme/recipes/"),
  ...filesIn("test/readme/proxy/")
].map(read)

/** What the examples load stands beside them on a page. */
const loaded = readdirSync(new URL("test/examples/", root)).filter((name) => /\.(?:mjs|json)$/.test(name))

/** Run by `readme.test.ts`, which puts the address of its server into it. */
const isSdkExample = (block: string): boolean => block.includes("// Echo: ping pong")

test.each(pages.filter((page) => page.endsWith(".md")))("every TypeScript block of %s is a test that runs", (page) => {
  const blocks = [...read(page).matchAll(/^ *```(?:ts|typescript)\n(.*?)^ *```$/gms)].map(([, code]) => code ?? "")

  expect(blocks.filter((block) => !tests.includes(block) && !isSdkExample(block))).toEqual([])
})

test.each(loaded)("the file %s of an example is on a page, as it is loaded", (name) => {
  const language = name.endsWith(".json") ? "json" : "js"
  const block = `\`\`\`${language}\n${read(`test/examples/${name}`)}\`\`\`\n`

  expect(pages.filter((page) => page.endsWith(".md") && read(page).includes(block))).not.toEqual([])
})
