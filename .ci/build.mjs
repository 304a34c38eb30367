// @ts-check
/**
 * Builds the package into `dist/`: a bundle for each subpath and command of package.json, what they share in
 * `dist/chunks/`, declarations in `dist/types/`, the licenses of what is bundled in `dist/LICENSES.txt`, the JSON schema
 * of scenario files in `dist/scenario.schema.json`.
 *
 *     node .ci/build.mjs [--out DIR] [--no-types] [--keep-going]
 *
 * `--keep-going` tells what went wrong and still exits 0, so that `npm ci` succeeds on sources that do not compile;
 * `npm test` builds again and counts the failure. A file is replaced whole, a chunk before the files that import it, so
 * that a command started during a build finds the old bundle or the new one.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: "dist" },
    "no-types": { type: "boolean", default: false },
    "keep-going": { type: "boolean", default: false }
  }
})
const out = resolve(root, options.out)

/**
 * No package is a dependency of ours: one installed package, few files to open, nothing that another version of the same
 * package in the user's tree could replace. `undici` (1 MB) and `yaml` (0.2 MB) are bundled as well, each in a chunk of
 * its own as long as only lazily imported files import it, so they cost nothing until they are used.
 *
 * Optional peers are never bundled where their objects cross our surface: `fast-check` and the test runners anywhere,
 * `effect` and `xstate` in `./effect`. What is external holds for a whole esbuild run, hence several runs; inside one run every module exists once, so
 * an object has one identity on all of its subpaths. `./effect` has modules of its own.
 */
const peers = ["fast-check", "vitest", "@jest/globals"]
const runs = [
  { external: peers, has: (/** @type {string} */ name) => name !== "effect" && name !== "cli" },
  { external: [...peers, "effect", "xstate"], has: (/** @type {string} */ name) => name === "effect" },
  // `serve` alone, with the door to all other commands: in few files, as each takes its time when a server starts.
  { external: peers, has: (/** @type {string} */ name) => name === "cli", elsewhere: { "./run.ts": "./commands.js" } }
]

const shebang = "#!/usr/bin/env node\n"

/** Bundled CommonJS calls `require` for built-in modules, which a module does not have. */
const requireForModules =
  'import { createRequire as createRequireForBundle } from "node:module"\n' +
  "const require = createRequireForBundle(import.meta.url)\n"

try {
  const failures = [...(await bundle()), ...(await publishSchema()), ...(options["no-types"] ? [] : declare())]
  for (const failure of failures) process.stderr.write(`build: ${failure}\n`)
  if (failures.length > 0 && !options["keep-going"]) process.exitCode = 1
} catch (error) {
  process.stderr.write(`build: ${error instanceof Error ? error.message : error}\n`)
  if (!options["keep-going"]) process.exitCode = 1
}

/** @returns {Promise<ReadonlyArray<string>>} what failed */
async function bundle() {
  const { build } = await import("esbuild")
  const entries = readEntries()
  /** @type {Set<string>} */
  const kept = new Set()
  /** @type {Set<string>} */
  const bundledPackages = new Set()
  /** @type {Array<string>} */
  const failures = []

  for (const { name, source } of entries.filter(({ source }) => !existsSync(join(root, source)))) {
    process.stderr.write(`build: no ${name}.js, for there is no ${source} yet\n`)
  }

  for (const run of runs) {
    const mine = entries.filter(({ name, source }) => run.has(name) && existsSync(join(root, source)))
    if (mine.length === 0) continue
    const result = await build({
      absWorkingDir: root,
      entryPoints: mine.map(({ name, source }) => ({ in: source, out: name })),
      outdir: out,
      chunkNames: "chunks/[name]-[hash]",
      bundle: true,
      splitting: true,
      treeShaking: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      external: run.external,
      plugins: [standingElsewhere(run.elsewhere ?? {})],
      // The "node" build of yaml is CommonJS, which cannot be tree-shaken.
      alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
      legalComments: "none",
      logLevel: "warning",
      metafile: true,
      write: false
    }).catch((error) => {
      failures.push(`${mine.map(({ source }) => source).join(", ")} could not be bundled, see above`)
      if (!error.errors) throw error
      return undefined
    })
    if (result === undefined) continue

    const chunksFirst = [...result.outputFiles].sort((a, b) => Number(isChunk(b.path)) - Number(isChunk(a.path)))
    for (const file of chunksFirst) {
      writeWhole(file.path, finish(file.path, file.text))
      if (file.path === join(out, "cli.js")) chmodSync(file.path, 0o755)
      kept.add(file.path)
    }
    for (const output of Object.values(result.metafile.outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
        const directory = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
        if (directory !== undefined && bytesInOutput > 0) bundledPackages.add(directory)
      }
    }
  }

  if (failures.length === 0) {
    removeStale(kept)
    writeWhole(join(out, "LICENSES.txt"), licenses([...bundledPackages].sort()))
  }
  return failures
}

/**
 * The files that package.json promises, with the source of each.
 *
 * @returns {ReadonlyArray<{ readonly name: string, readonly source: string }>}
 */
function readEntries() {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const subpaths = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "object" ? [basename(target.default, ".js")] : []
  )
  return [
    ...subpaths.map((name) => ({ name, source: `src/${name}.ts` })),
    { name: "commands", source: "src/cli/run.ts" },
    { name: "cli", source: "src/cli/main.ts" }
  ]
}

/**
 * Imports that are left to a file of another run.
 *
 * @param {Readonly<Record<string, string>>} files
 * @returns {import("esbuild").Plugin}
 */
function standingElsewhere(files) {
  return {
    name: "standing elsewhere",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path }) => {
        const file = files[path]
        return file === undefined ? undefined : { path: file, external: true }
      })
    }
  }
}

/** @param {string} path */
function isChunk(path) {
  return path.startsWith(join(out, "chunks"))
}

/**
 * @param {string} path
 * @param {string} text
 */
function finish(path, text) {
  const body = text.startsWith("#!") ? text.slice(text.indexOf("\n") + 1) : text
  const head = path === join(out, "cli.js") ? shebang : ""
  return head + (body.includes("typeof require") ? requireForModules : "") + body
}

/**
 * @param {string} path
 * @param {string} text
 */
function writeWhole(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

/** @param {ReadonlySet<string>} kept */
function removeStale(kept) {
  for (const directory of [out, join(out, "chunks")]) {
    if (!existsSync(directory)) continue
    for (const name of readdirSync(directory)) {
      const path = join(directory, name)
      if (name.endsWith(".js") && !kept.has(path)) unlinkSync(path)
    }
  }
}

/**
 * The notices that the licenses of bundled packages ask to be kept.
 *
 * @param {ReadonlyArray<string>} directories
 */
function licenses(directories) {
  const notices = directories.map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"))
    const file = readdirSync(join(root, directory)).find((name) => /^licen[cs]e/i.test(name))
    const text = file === undefined ? "" : `\n${readFileSync(join(root, directory, file), "utf8").trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  })
  return `These packages are part of the bundles.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`
}

/**
 * The schema is data in a source file, from which the types follow as well; here it becomes the file that editors read.
 *
 * @returns {Promise<ReadonlyArray<string>>} what failed
 */
async function publishSchema() {
  const { build } = await import("esbuild")
  const source = "src/inference/scenario-schema.ts"
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    format: "esm",
    logLevel: "warning",
    write: false
  }).catch(() => ({ outputFiles: [] }))
  const [file] = outputFiles
  if (file === undefined) return [`${source} could not be bundled, see above`]
  const { scenarioSchema } = await import(`data:text/javascript,${encodeURIComponent(file.text)}`)
  writeWhole(join(out, "scenario.schema.json"), `${JSON.stringify(scenarioSchema, null, 2)}\n`)
  return []
}

/** @returns {ReadonlyArray<string>} what failed */
function declare() {
  const draft = join(out, `types.${process.pid}.draft`)
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.json"), "--outDir", draft], {
    cwd: root,
    stdio: ["ignore", 2, 2]
  })
  if (existsSync(draft)) {
    rmSync(join(out, "types"), { recursive: true, force: true })
    renameSync(draft, join(out, "types"))
  }
  return status === 0 ? [] : [`declarations in ${relative(root, join(out, "types"))} are incomplete, see above`]
}
