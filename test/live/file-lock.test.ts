import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeCorpus } from "../../src/campaign/corpus-file.ts"
import { type LockPorts, whileLocked } from "../../src/live/file-lock.ts"
import { startScript } from "../support/child-script.ts"

const inFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "file-lock-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const never: LockPorts = {
  isAlive: () => true,
  pause() {}
}

describe("A file that is locked", () => {
  it("is unlocked when the work is done, also when that throws", () => {
    const path = join(inFolder(), "kept.json")

    expect(whileLocked(path, () => existsSync(`${path}.lock`))).toBe(true)
    expect(existsSync(`${path}.lock`)).toBe(false)
    expect(() =>
      whileLocked(path, () => {
        throw new Error("of the work")
      })
    ).toThrow("of the work")
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it("is had when the one who holds it gives it back", () => {
    const path = join(inFolder(), "kept.json")
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 7, host: hostname() }))
    let pauses = 0
    const pause = (): void => {
      pauses++
      if (pauses === 3) rmSync(`${path}.lock`)
    }

    expect(whileLocked(path, () => "had", { ...never, pause })).toBe("had")
    expect(pauses).toBe(3)
  })

  it("is taken from a process of this machine that is gone, and from no other", () => {
    const path = join(inFolder(), "kept.json")
    const isAlive = (pid: number): boolean => pid !== 7
    const held = (pid: number, host: string): void => writeFileSync(`${path}.lock`, JSON.stringify({ pid, host }))

    held(7, hostname())
    expect(whileLocked(path, () => "had", { ...never, isAlive })).toBe("had")
    held(7, "elsewhere")
    expect(() => whileLocked(path, () => "had", { ...never, isAlive })).toThrow("is held by process 7 of elsewhere")
    held(8, hostname())
    expect(() => whileLocked(path, () => "had", { ...never, isAlive })).toThrow(
      `${path}.lock is held by process 8 of ${hostname()}, and was not given back: remove it when nothing writes there`
    )
    // Who made it has not written yet who it is.
    writeFileSync(`${path}.lock`, "")
    expect(() => whileLocked(path, () => "had", { ...never, isAlive: () => false })).toThrow(
      "is held by nobody knows whom"
    )
  })

  it("says so where a folder has no place for a lock", () => {
    expect(() => whileLocked(join(inFolder(), "missing", "kept.json"), () => "had")).toThrow("ENOENT")
  })
})

describe("Failures that several processes keep in one file at once", () => {
  const each = 12

  // Seen to fail without the lock: most of what the processes kept was gone.
  it("are all kept", async () => {
    const folder = inFolder()
    const path = join(folder, "some.test.json")
    const names = ["one", "two", "three", "four"]
    const scripts = await Promise.all(names.map((name) => startScript("keep-failures", [path, name, String(each)])))
    for (const script of scripts) expect(await script.line()).toBe("ready")
    for (const script of scripts) script.finish()

    for (const script of scripts) expect(await script.line()).toBe("[]")
    const corpus = makeCorpus(path)
    const wanted = (name: string) => Array.from({ length: each }, (_, index) => `us1.${name}.${each - 1 - index}`)
    for (const name of names) expect(corpus.tokens(name)).toEqual(wanted(name))
    expect(readdirSync(folder)).toEqual(["some.test.json"])
    expect(readFileSync(path, "utf8")).toMatch(/\n$/)
  })
})
