import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { bugs } from "./bugs.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))
const read = (name: string): string => readFileSync(`${folder}${name}`, "utf8")

/** What the README lists: bugs whose packages are installed on demand as well. */
const listed = [...read("README.md").matchAll(/^\| (\d+) \| \[([\w-]+)\]\(([\w-]+)\.md\)/gm)].map(
  ([, row, name, file]) => ({ row: Number(row), name, file })
)

it("every bug is listed, with its page", () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")

  expect(listed.map(({ file }) => `${file}.md`).sort()).toEqual(pages.sort())
  expect(listed.map(({ name, row }) => ({ name, row }))).toEqual(
    expect.arrayContaining(bugs.map(({ name, row }) => ({ name, row })))
  )
})

describe.each(listed)("the page of $name", ({ row, name, file }) => {
  const page = read(`${file}.md`)

  it("is named after it and says where it was met", () => {
    expect(file).toBe(name)
    expect(page).toMatch(new RegExp(`^# ${row}\\. `))
    expect(page.split("\n")[2]).toMatch(/^[\w-]+\/[\w-]+#\d+/)
  })

  it("shows what happens, and says how it is looked for and who passes", () => {
    expect(page).toMatch(/```mermaid\nsequenceDiagram\n(?: {2}.*\n){6,}```/)
    for (const part of ["World", "Oracle", "Passes"]) expect(page).toMatch(new RegExp(`^\\*\\*${part}s?\\*\\* `, "m"))
  })
})
