import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TextStore } from "../ports/agent-surroundings.ts"

/**
 * Texts as files of a folder, which is made when the first is saved. Everything is on its way to the disk when a call returns.
 *
 * @since 0.1.0
 * @category layers
 */
export const textFolder = (folder: string): TextStore => ({
  all: () =>
    namesIn(folder).map((name) => ({
      name,
      text: readFileSync(join(folder, name), "utf8")
    })),
  save(name, text) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), text)
  },
  remove: (name) => rmSync(join(folder, name), { force: true })
})

/** Texts in memory, gone with the process. */
export const textMemory = (): TextStore => {
  const texts = new Map<string, string>()
  return {
    all: () => [...texts.keys()].sort().map((name) => ({ name, text: texts.get(name) ?? "" })),
    save: (name, text) => void texts.set(name, text),
    remove: (name) => void texts.delete(name)
  }
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
  } catch {
    // Nothing was saved yet.
    return []
  }
}
