import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FileFailure } from "../../src/domain/file-failure.ts"
import { liveFiles } from "../../src/live/files.ts"
import { sandboxBaseFolder } from "../../src/live/parent-process.ts"
import type { FilePort } from "../../src/ports/file-port.ts"
import { makeSimFiles } from "../../src/sim/files.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(sandboxBaseFolder(), "us-test-"))
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Everything that the port can do, told without what differs from place to place. */
const story = async (files: FilePort, base: string): Promise<ReadonlyArray<unknown>> => {
  const told: Array<unknown> = []
  const tell = async (work: Promise<unknown>) => {
    told.push(
      await work.then(
        (value) => (value instanceof Uint8Array ? [...value] : (value ?? null)),
        (error) => (error instanceof FileFailure ? error.code : "no FileFailure")
      )
    )
  }
  await tell(files.stat(`${base}/a`))
  await tell(files.makeFolder(`${base}/a/b`))
  await tell(files.makeFolder(`${base}/a/b`))
  await tell(files.writeText(`${base}/a/b/c`, "one"))
  await tell(files.writeText(`${base}/a/b/c`, "zwölf"))
  await tell(files.writeText(`${base}/none/c`, "x"))
  await tell(files.writeText(`${base}/a/b`, "x"))
  await tell(files.readText(`${base}/a/b/c`))
  await tell(files.realPath(`${base}/a/../a/b/c`).then((path) => path === `${base}/a/b/c`))
  await tell(files.realPath(`${base}/a/none`))
  await tell(files.readText(`${base}/a/none`))
  await tell(files.readText(`${base}/a/b`))
  await tell(files.readStart(`${base}/a/b/c`, 4))
  await tell(files.readStart(`${base}/a/b/c`, 400))
  await tell(files.stat(`${base}/a/b/c`))
  await tell(files.stat(`${base}/a/b/c/d`))
  await tell(files.stat(`${base}/a`).then((stat) => stat?.kind))
  await tell(files.makeFolder(`${base}/a/z`))
  await tell(files.list(`${base}/a`))
  await tell(files.list(`${base}/none`))
  const fresh = [await files.makeFreshFolder(base, "us-"), await files.makeFreshFolder(base, "us-")]
  told.push(
    fresh.every((path) => path.startsWith(`${base}/us-`)),
    fresh[0] !== fresh[1]
  )
  await tell(files.makeFreshFolder(`${base}/none`, "us-"))
  await tell(files.remove(`${base}/none`))
  await tell(files.remove(`${base}/a`))
  await tell(files.stat(`${base}/a`))
  return told
}

describe("files on disk and in memory", () => {
  test("tell the same story", async () => {
    const inMemory = makeSimFiles()
    inMemory.put("/base/x", "")

    expect(await story(inMemory, "/base")).toEqual(await story(liveFiles, root))
  })
})

describe("files on disk", () => {
  test("are removed with folders that nothing may be removed from, and links are not followed", async () => {
    mkdirSync(join(root, "tree/closed"), { recursive: true })
    mkdirSync(join(root, "outside"))
    writeFileSync(join(root, "outside/kept"), "")
    writeFileSync(join(root, "tree/closed/file"), "")
    symlinkSync(join(root, "outside"), join(root, "tree/link"))
    chmodSync(join(root, "tree/closed"), 0o500)

    await liveFiles.remove(join(root, "tree"))

    expect(await liveFiles.list(root)).toEqual(["outside"])
    expect(await liveFiles.list(join(root, "outside"))).toEqual(["kept"])
  })

  test("are seen behind links, and may be run when somebody may", async () => {
    writeFileSync(join(root, "run"), "")
    chmodSync(join(root, "run"), 0o755)
    symlinkSync("run", join(root, "link"))
    symlinkSync("nothing", join(root, "broken"))
    symlinkSync("ring", join(root, "ring"))

    expect(await liveFiles.stat(join(root, "link"))).toEqual({ kind: "file", isExecutable: true })
    for (const unreachable of ["broken", "ring", "run/x", "x".repeat(300)]) {
      expect(await liveFiles.stat(join(root, unreachable))).toBe(null)
    }
  })
})
