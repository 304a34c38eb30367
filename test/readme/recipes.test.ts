import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const page = readFileSync(new URL("../../docs/recipes.md", import.meta.url), "utf8")
const folder = new URL("recipes/", import.meta.url)
const names = readdirSync(folder)

test("the page has every recipe, as it runs", () => {
  for (const name of names) expect(page).toContain(`\`\`\`ts\n${readFileSync(new URL(name, folder), "utf8")}\`\`\`\n`)

  expect(page.match(/^```ts$/gm)).toHaveLength(names.length)
})

test("the story of a request in the README is one of them", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

  expect(readme).toContain(`\`\`\`ts\n${readFileSync(new URL("attempts.test.ts", folder), "utf8")}\`\`\`\n`)
})
