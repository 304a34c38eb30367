import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { builtInProfile } from "../../src/harness/profile/built-in-profiles.ts"
import { headlessArguments } from "../../src/harness/profile/program-arguments.ts"
import { resolveBinary } from "../../src/harness/sandbox/resolve-binary.ts"
import { liveFiles } from "../../src/live/files.ts"
import { thisProcess } from "../../src/live/parent-process.ts"
import { packedProject } from "../support/packed-project.mjs"
import { linesOf } from "./lines.ts"

/* The commands of simulation as people call them: by npx, in a project that has the packed package installed. */

let folder = ""
let remove = (): void => {}
let child: ChildProcess | null = null

beforeAll(() => {
  const project = packedProject()
  folder = project.folder
  remove = project.remove
  for (const name of ["racing.mjs", "several.mjs", "endless.mjs"]) {
    cpSync(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), join(folder, name))
  }
}, 120_000)

afterAll(() => {
  child?.kill("SIGKILL")
  remove()
})

const npx = (...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync("npx", ["--offline", "llm-understudy", ...args], {
    cwd: folder,
    encoding: "utf8"
  })
  const [line = ""] = stdout.split("\n")
  return { status, stdout, stderr, record: line.startsWith("{") ? JSON.parse(line) : null }
}

test("explore finds a failure, and replay, shrink and explain go on from its trace", () => {
  const found = npx("explore", "racing.mjs", "--budget", "1h", "--workers", "2", "--junit", "out.xml")
  expect(found).toMatchObject({ status: 1, record: { outcome: "failed", workers: 2 } })
  const { trace, token } = found.record.failure
  expect(readdirSync(folder)).toContain(trace)
  expect(found.stderr).toContain(`SIM_REPLAY='${token}'`)
  expect(found.stderr).toContain("sequenceDiagram")
  expect(readFileSync(join(folder, "out.xml"), "utf8")).toMatch(/<testsuites [^>]*tests="1" failures="1"/)

  expect(npx("replay", trace)).toMatchObject({ status: 1, record: { outcome: "failed", isSame: true, token } })
  expect(npx("shrink", trace)).toMatchObject({ status: 0, record: { type: "shrink", isMinimal: true } })
  const explained = npx("explain", trace, "--html", "run.html", "--test", "race.test.mjs")
  expect(explained.status).toBe(0)
  expect(existsSync(join(folder, "run.html"))).toBe(true)

  const regression = spawnSync(process.execPath, ["race.test.mjs"], { cwd: folder, encoding: "utf8" })
  expect(regression.status).toBe(1)
  expect(regression.stdout).toMatch(/sold [23] of 1/)
}, 120_000)

test("the profile fixture finds the fake agent of the installed package, without any variable", async () => {
  const fixture = builtInProfile("fixture")
  const parent = { ...thisProcess(), variables: { PATH: process.env["PATH"] ?? "" }, cwd: folder }
  const run = () => Promise.reject(new Error("nothing has to be built"))
  const binary = await resolveBinary(fixture, { parent, files: liveFiles, run, ownInterpreter: process.execPath })
  const { args } = headlessArguments(fixture, { prompt: "hi", cwd: folder, format: "text" })

  const { stdout } = spawnSync(binary.interpreter ?? "", [binary.path, ...args], { cwd: folder, encoding: "utf8" })

  expect(binary).toMatchObject({ rule: 4, because: "the package llm-understudy" })
  expect(stdout).toBe("Echo: hi\n")
})

test("explore ends with 0 when it finds nothing, and with 2 when there is nothing to search", () => {
  expect(npx("explore", "several.mjs", "--only", "calm", "--runs", "5")).toMatchObject({ status: 0 })
  expect(npx("explore", "nowhere.mjs")).toMatchObject({ status: 2, stdout: "" })
  expect(npx("replay", "us1.nonsense", "racing.mjs")).toMatchObject({ status: 2, stdout: "" })
}, 120_000)

test("Ctrl-C tells how far it came; pressed again and again it ends in any case", async () => {
  const started = (...args: ReadonlyArray<string>) => {
    const bin = join(folder, "node_modules/.bin/llm-understudy")
    const process = spawn(bin, ["explore", ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
    child = process
    const ended = new Promise((resolve) => process.once("close", (code, signal) => resolve(code ?? signal)))
    return { process, ended, out: linesOf(process.stdout), err: linesOf(process.stderr) }
  }
  const calm = started("several.mjs", "--only", "calm", "--budget", "1h", "--workers", "2")
  await calm.err.first((line) => line.includes(" schedules, "))
  calm.process.kill("SIGINT")
  expect(await calm.ended).toBe(130)
  expect(calm.out.all.map((line) => JSON.parse(line))).toMatchObject([{ outcome: "stopped", workers: 2 }])

  const endless = started("endless.mjs", "--runs", "5")
  await endless.err.first((line) => line.endsWith("it loops now"))
  endless.process.kill("SIGINT")
  endless.process.stderr.on("data", () => endless.process.kill("SIGINT"))
  expect(await endless.ended).toBe(130)
}, 120_000)
