import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { encodeToken } from "../../src/explore/replay-token.ts"
import { type RegressionOptions, regressionTest } from "../../src/report/regression-test.ts"
import { lateChoices } from "./retrying-clients.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const token = encodeToken({ seed: 0, lists: lateChoices, hash: null })
const options: RegressionOptions = {
  title: 'no call is carried out twice, "late" or not',
  importPath: "./programs.mjs",
  exportName: "retryingClients",
  token,
  message: "executed more than once: c2\n*/ process.exit(1)"
}

interface Ran {
  readonly code: number
  readonly output: string
}

const run = (args: ReadonlyArray<string>, folder: string): Promise<Ran> =>
  new Promise((resolve) => {
    const { NODE_OPTIONS: _, VITEST: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
    execFile(process.execPath, args, { cwd: folder, env: { ...env, NO_COLOR: "1" } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` })
    )
  })

describe("a generated regression test", () => {
  let folder = ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "understudy-regression-"))
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    mkdirSync(join(folder, "tests"))
    await build({
      entryPoints: {
        programs: join(root, "test/report/retrying-clients.ts"),
        replay: join(root, "src/explore/replay-run.ts")
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outdir: join(folder, "tests"),
      outExtension: { ".js": ".mjs" },
      logLevel: "error"
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const here = { replayFrom: "./replay.mjs", replayName: "replayRun" }

  const ran = (text: string, runner: "vitest" | "node:test"): Promise<Ran> => {
    const name = runner === "vitest" ? "generated.test.ts" : "generated.test.mjs"
    writeFileSync(join(folder, "tests", name), text)
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    return run(
      runner === "vitest" ? [vitest, "run", "--root", folder, name] : ["--test", join(folder, "tests", name)],
      folder
    )
  }

  test("is the text that the golden has, for each runner", async () => {
    await expect(regressionTest(options)).toMatchFileSnapshot("fixtures/regression.vitest.txt")
    await expect(regressionTest({ ...options, runner: "node:test" })).toMatchFileSnapshot(
      "fixtures/regression.node.txt"
    )
  })

  for (const runner of ["vitest", "node:test"] as const) {
    test(`fails in ${runner} while the bug is there, and passes when it is gone`, async () => {
      const broken = await ran(regressionTest({ ...options, ...here, runner }), runner)
      const fixed = await ran(regressionTest({ ...options, ...here, runner, exportName: "fixedClients" }), runner)

      expect(broken.output).toContain("executed more than once: c2")
      expect(broken.code).toBe(1)
      expect(fixed.output).toMatch(/1 passed|# pass 1|pass 1/)
      expect(fixed.code).toBe(0)
    })
  }

  test("is one whatever the title, the path and the token hold", async () => {
    const nasty = 'a"b\\c\n`$1`\u2028*/</script>'
    const text = regressionTest({ ...options, ...here, title: nasty, message: nasty, runner: "node:test" })

    expect((await ran(text, "node:test")).output).toContain("executed more than once: c2")
    expect(regressionTest({ ...options, exportName: "my program" })).toContain(
      'import { "my program" as program } from'
    )
    expect(regressionTest({ ...options, exportName: "default" })).toContain("import { default as program } from")
    expect(regressionTest({ ...options, exportName: "program" })).toContain("import { program } from")
  })
})
