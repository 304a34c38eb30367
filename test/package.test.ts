import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { packedProject } from "./support/packed-project.mjs"

/* The package as its users get it, imported and type-checked in a project outside this tree. */

const root = fileURLToPath(new URL("..", import.meta.url))
const tsc = join(root, "node_modules/typescript/bin/tsc")
const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const subpaths = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === "string" ? [] : [{ subpath, source: `src/${subpath === "." ? "index" : subpath.slice(2)}.ts` }]
)
const built = subpaths.filter(({ source }) => existsSync(join(root, source))).map(({ subpath }) => subpath)

/** What a subpath needs beside the package; every other one works alone. */
const peersOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  "./effect": ["effect", "xstate"],
  "./properties": ["fast-check", "pure-rand"]
}
const alone = built.filter((subpath) => peersOf[subpath] === undefined)
const withPeers = built.filter((subpath) => peersOf[subpath] !== undefined)

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly bin: Readonly<Record<string, string>>
}

interface TypeCheck {
  readonly resolution: string
  readonly lib: ReadonlyArray<string>
  /** What the file says beside the imports. */
  readonly source?: string
}

let project = ""
let installed = ""
let link = (_: string): void => {}
let remove = (): void => {}

beforeAll(() => {
  const packed = packedProject({ types: true })
  project = packed.folder
  installed = packed.installed
  link = packed.link
  remove = packed.remove
}, 120_000)

afterAll(() => remove())

describe("the package", () => {
  test("has a source for each subpath, and a subpath for each entry file", () => {
    const entryFiles = readdirSync(join(root, "src")).filter((name) => name.endsWith(".ts"))

    expect(entryFiles.map((name) => `src/${name}`).sort()).toEqual(subpaths.map(({ source }) => source).sort())
  })

  test("brings no other package and stays under 20 MiB", () => {
    expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "llm-understudy"
    ])
    expect(bytesIn(installed)).toBeLessThan(20 * 1024 * 1024)
  })

  test("keeps the notices of the packages inside it", () => {
    expect(readFileSync(join(installed, "dist/LICENSES.txt"), "utf8")).toContain(
      "These packages are part of the bundles"
    )
    expect(existsSync(join(installed, "LICENSE"))).toBe(true)
  })

  test("holds no path of the machine that built it", () => {
    const files = filesIn(join(installed, "dist")).filter((path) => readFileSync(path, "utf8").includes(root))

    expect(files).toEqual([])
  })

  test.runIf(existsSync(join(root, "src/cli/main.ts")))("installs its commands", () => {
    for (const name of Object.keys(manifest.bin)) {
      const { status, stderr } = spawnSync(join(project, "node_modules/.bin", name), ["--help"], { encoding: "utf8" })

      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" })
    }
  })

  test.runIf(existsSync(join(root, "src/cli/main.ts")))("starts its command without undici and yaml", () => {
    const loaded = closure(join(installed, "dist/cli.js")).filter((path) =>
      /^\/\/ node_modules\/(undici|yaml)\//m.test(readFileSync(path, "utf8"))
    )

    expect(loaded).toEqual([])
  })
})

describe("a project that installs the package alone", () => {
  test("imports every subpath that needs no peer", () => {
    expect(namesIn(alone)).toEqual(alone.map((subpath) => [subpath, true]))
  })

  test.each(["nodenext", "bundler"])("type-checks them strictly under %s", (resolution) => {
    expect(typeErrors(alone, { resolution, lib: ["es2023"] })).toBe("")
  })
})

describe("the installed simulation", () => {
  const inChild = (program: string, options = ""): string => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: options }
    })
    return stdout + stderr
  }

  const run = (body: string): string =>
    inChild(`
      const kept = setImmediate
      const { withSim } = await import("llm-understudy/sim")
      const told = await withSim({ seed: 1 }, async () => { ${body} }).catch((error) => error.name)
      console.log(told)
    `)

  test("takes no timer that Node starts itself for an escape", () => {
    // The second entry finds the buffer full, which Node tells about in an immediate of its own.
    const measured =
      'performance.setResourceTimingBufferSize(1); for (const at of [1, 2]) performance.markResourceTiming({ startTime: at }, "http://x/", "fetch", globalThis, ""); return "done"'

    expect(run(measured)).toBe("done\n")
  })

  test("has a dispatcher, and loads modules inside a run, where no undici is and nothing real is waited for", () => {
    writeFileSync(join(project, "loaded.mjs"), 'import { gzip } from "node:zlib"\nexport const kind = typeof gzip\n')
    const program = `
      import { withSim } from "llm-understudy/sim"
      const told = await withSim({ seed: 1, limits: { graceMs: 0 } }, async (sim) => {
        const { kind } = await import(${JSON.stringify(join(project, "loaded.mjs"))})
        const server = await sim.startServer()
        const dispatcher = await sim.dispatcher("ann")
        const call = { origin: server.origin(), path: "/v1/models", method: "GET" }
        const { statusCode, body } = await dispatcher.request(call)
        await body.dump()
        return [kind, statusCode].join(" ")
      }).catch(String)
      console.log(told)
    `

    expect(inChild(program)).toBe("function 200\n")
  })

  test("sees a timer that was kept from before", () => {
    expect(run('kept(() => {}); await new Promise((wake) => setTimeout(wake, 5)); return "done"')).toBe(
      "EscapedFence\n"
    )
  })

  test("tells what to do about it, and each way that it names works", () => {
    writeFileSync(
      join(project, "keeps.mjs"),
      "const kept = setTimeout\nexport const wait = (ms) => new Promise((wake) => kept(wake, ms))\n"
    )
    const keeps = JSON.stringify(join(project, "keeps.mjs"))
    const program = (load: string): string => `
      ${load}
      import { withSim, installFence, restoreFence } from "llm-understudy/sim"
      const told = await withSim({}, async (sim) => { await wait(60_000); return sim.now() }).catch(String)
      console.log(told)
      process.exit()
    `
    const load = `import { wait } from ${keeps}`
    const advice = inChild(program(load))
    const [, options = ""] = /NODE_OPTIONS="([^"]+)"/.exec(advice) ?? []
    const [, first = ""] = /\((import "[^"]+") before it/.exec(advice) ?? []

    expect(advice).toContain("its function was kept from before the fence was there")
    expect(inChild(program(load), options)).toBe("60000\n")
    expect(inChild(program(`${first}\n${load}`))).toBe("60000\n")
    expect(inChild(program(`installFence(); const { wait } = await import(${keeps}); restoreFence()`))).toBe("60000\n")
  })
})

describe("a project that installs the peers as well", () => {
  beforeAll(() => {
    for (const peer of Object.values(peersOf).flat()) link(peer)
  })

  test("imports every subpath", () => {
    expect(namesIn(built)).toEqual(built.map((subpath) => [subpath, true]))
  })

  test.each(["nodenext", "bundler"])("type-checks them strictly under %s", (resolution) => {
    // The declarations of effect name types of the browser.
    expect(typeErrors(withPeers, { resolution, lib: ["es2023", "dom"] })).toBe("")
  })

  /** Valid in both languages: it is type-checked, and run. */
  const lostUpdate = `
    import { Effect, Fiber, Ref } from "effect"
    import { simRuntime } from "llm-understudy/effect"
    import { explore } from "llm-understudy/sim"

    const work = Effect.gen(function* () {
      const counter = yield* Ref.make(0)
      const count = Effect.flatMap(Ref.get(counter), (read) => Ref.set(counter, read + 1))
      yield* Fiber.joinAll([yield* Effect.forkChild(count), yield* Effect.forkChild(count)])
      return yield* Ref.get(counter)
    })
    const failure = await explore({ runs: 300 }, async (sim) => {
      const count = await simRuntime(sim, { actor: "ann", preempts: true }).runPromise(work)
      if (count !== 2) throw new Error(count + " of 2 updates")
    }).catch(String)
    console.log(failure)
  `

  test("runs programs of its own copy of Effect in a simulated run", () => {
    const told = execFileSync(process.execPath, ["--input-type=module", "--eval", lostUpdate], {
      cwd: project,
      encoding: "utf8"
    })

    expect(told).toMatch(
      /^SimFailed: 1 of 2 updates\nfound in run \d+ of seed 0; 1 choice is not calm: step \d+, \d+ ms: effect\/ann\/2\/preempt was/
    )
  })

  test.each(["nodenext", "bundler"])("type-checks such a program strictly under %s", (resolution) => {
    expect(typeErrors([], { resolution, lib: ["es2023", "dom"], source: lostUpdate })).toBe("")
  })
})

/** Imports each subpath in one fresh process: does it export anything? */
function namesIn(paths: ReadonlyArray<string>): ReadonlyArray<readonly [string, boolean]> {
  const script = `
    const found = []
    for (const path of ${JSON.stringify(paths)}) {
      const exported = await import("llm-understudy" + path.slice(1))
      found.push([path, Object.keys(exported).length > 0])
    }
    console.log(JSON.stringify(found))`
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: project, encoding: "utf8" })
  )
}

/** What the compiler says of a file that imports all of `paths`, library declarations included. */
function typeErrors(paths: ReadonlyArray<string>, { resolution, lib, source = "" }: TypeCheck): string {
  link("@types/node")
  link("undici-types")
  const uses = paths.map((path, n) => `import * as m${n} from "llm-understudy${path.slice(1)}"\nvoid m${n}\n`)
  writeFileSync(join(project, "use.ts"), `${uses.join("")}${source}export {}\n`)
  const compilerOptions = {
    target: "es2023",
    lib,
    module: resolution === "bundler" ? "preserve" : resolution,
    moduleResolution: resolution,
    types: ["node"],
    strict: true,
    skipLibCheck: false,
    noEmit: true
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }))
  return spawnSync(process.execPath, [tsc, "-p", project], { cwd: project, encoding: "utf8" }).stdout
}

/** A bundle and all it imports at once, that is without `import()`. */
function closure(entry: string): ReadonlyArray<string> {
  const seen = new Set([entry])
  for (const path of seen) {
    for (const [, specifier] of readFileSync(path, "utf8").matchAll(
      /^(?:import|export|\})[^"'()]*["'](\.[^"']+)["'];?$/gm
    )) {
      seen.add(join(dirname(path), specifier ?? ""))
    }
  }
  return [...seen]
}

function filesIn(directory: string): ReadonlyArray<string> {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

function bytesIn(directory: string): number {
  return filesIn(directory).reduce((sum, path) => sum + readFileSync(path).byteLength, 0)
}
