import { canImportFile, canImportPackage, layerOf } from "./layers.ts"
import { blank, importsOf, lineAt, resolveFrom, type SourceFile } from "./scan.ts"

/** One place that breaks a rule: what stands there and what to do about it. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly found: string
  readonly advice: string
}

/** A rule over the whole tree; its title is what holds when it finds nothing. */
export interface Rule {
  readonly title: string
  readonly find: (files: ReadonlyArray<SourceFile>) => ReadonlyArray<Finding>
}

export const lineLimit = 300

export const rules = {
  layers: { title: "no file imports from a folder or package that the table refuses", find: forbiddenImports },
  cycles: { title: "no two files need each other to load", find: cycles },
  specifiers: { title: "imports of our own files are relative and name the .ts file", find: badSpecifiers },
  lazyPackages: { title: "a package is loaded lazily through a file of ours", find: lazyPackages },
  worldly: { title: "time, chance and ids come from ports alone", find: worldlyWords },
  running: { title: "effects are run at the edge alone", find: effectRuns },
  length: { title: "a long file says why in its first comment", find: longFiles },
  defaults: { title: "nothing is exported as default but a configuration", find: defaultExports },
  barrels: { title: "no file but an entry only passes on exports of others", find: barrels },
  machines: { title: "a machine file exports one chart, and file, export and id have one name", find: machineFiles },
  names: { title: "files and folders are named in kebab-case, after what they hold", find: badNames }
} as const satisfies Record<string, Rule>

export function format({ path, line, found, advice }: Finding): string {
  return `${path}:${line}: ${found}. ${advice}.`
}

function forbiddenImports(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return files.flatMap((file) => {
    const layer = layerOf(file.path)
    if (layer === undefined) {
      const advice =
        "Move it to a folder of the table in test/tidy/layers.ts, or add a row that says what it may import"
      return [{ path: file.path, line: 1, found: "this folder is in no row of the table", advice }]
    }
    return importsOf(file).flatMap(({ specifier, line, names }) => {
      if (isRelative(specifier)) {
        const target = resolveFrom(file.path, specifier)
        if (canImportFile(layer, target)) return []
        const advice = `${layer.name} may import ${layer.ours.join(", ")}: move the code, or hand in what it needs`
        return [{ path: file.path, line, found: `imports ${target}`, advice }]
      }
      if (canImportPackage(layer, specifier, names)) return []
      const allowed = layer.packages.length > 0 ? layer.packages.join(", ") : "no package"
      const what = specifier === "effect" ? `{ ${names.join(", ")} } of effect` : specifier
      const advice = `${layer.name} may import ${allowed}: use a port, or move the code to a folder that may`
      return [{ path: file.path, line, found: `imports ${what}`, advice }]
    })
  })
}

/** Rings of imports that exist at run time; a type may look back. Each ring is found once, at its first file by name. */
function cycles(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  const paths = new Set(files.map(({ path }) => path))
  const edges = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ specifier, isType }) => isRelative(specifier) && !isType)
        .map(({ specifier, line }) => ({ target: resolveFrom(file.path, specifier), line }))
        .filter(({ target }) => paths.has(target))
    ])
  )
  const findings: Array<Finding> = []
  const reported = new Set<string>()
  for (const start of [...paths].sort()) {
    if (reported.has(start)) continue
    const ring = shortestRing(edges, start)
    if (ring === undefined) continue
    for (const { target } of ring) reported.add(target)
    const chain = [start, ...ring.map(({ target }) => target)].join(" -> ")
    const advice = "Move what both need to a file of its own, or import only types one way"
    findings.push({ path: start, line: ring[0]?.line ?? 1, found: `imports itself: ${chain}`, advice })
  }
  return findings
}

interface Edge {
  readonly target: string
  readonly line: number
}

function shortestRing(edges: ReadonlyMap<string, ReadonlyArray<Edge>>, start: string): ReadonlyArray<Edge> | undefined {
  const seen = new Set<string>()
  let roads: ReadonlyArray<ReadonlyArray<Edge>> = [[]]
  while (roads.length > 0) {
    const longer: Array<ReadonlyArray<Edge>> = []
    for (const road of roads) {
      for (const edge of edges.get(road.at(-1)?.target ?? start) ?? []) {
        if (edge.target === start) return [...road, edge]
        if (seen.has(edge.target)) continue
        seen.add(edge.target)
        longer.push([...road, edge])
      }
    }
    roads = longer
  }
  return undefined
}

function badSpecifiers(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return files.flatMap((file) =>
    importsOf(file).flatMap(({ specifier, line }) => {
      const isOurs = isRelative(specifier) || /^(\/|#|~|src\/|file:)/.test(specifier) || isOwnName(specifier)
      // Tests also load scripts and data, and the package by its own name, as its users do.
      const isTest = /^(test|bench)\//.test(file.path)
      if (!isOurs || (isRelative(specifier) && /\.ts$/.test(specifier))) return []
      if (isTest && (isOwnName(specifier) || /^\..*\.(mjs|json)$/.test(specifier))) return []
      const advice = 'Write the relative path of the file, as in "../domain/plan.ts"'
      return [{ path: file.path, line, found: `imports "${specifier}"`, advice }]
    })
  )
}

/** `import("undici")` gives no named exports once a CommonJS package is bundled, and takes in all of any package. */
function lazyPackages(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return outside(files, [/^test\//, /^bench\//]).flatMap((file) =>
    importsOf(file)
      .filter(({ isDynamic, specifier }) => isDynamic && !isRelative(specifier) && !specifier.startsWith("node:"))
      .map(({ specifier, line }) => ({
        path: file.path,
        line,
        found: `import("${specifier}")`,
        advice: `Import ${specifier} at the top of a file of ours and load that file lazily: bundled, a package may lack its names`
      }))
  )
}

const worldly: ReadonlyArray<{ readonly word: RegExp; readonly advice: string }> = [
  { word: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b/g, advice: "Ask the Clock port" },
  {
    word: /\bset(?:Timeout|Interval|Immediate)\b/g,
    advice: "Arm a timer of the Clock port, or use a delay of the chart"
  },
  { word: /\bMath\.random\b|\brandom(?:Int|Bytes)\b|\bgetRandomValues\b/g, advice: "Draw from the Choice port" },
  { word: /\brandomUUID\b/g, advice: "Hash run seed, label and ordinal to an id" }
]

function worldlyWords(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return outside(files, [/^src\/live\//, /^src\/sim\/fence/, /^test\//, /^bench\//]).flatMap((file) =>
    worldly.flatMap(({ word, advice }) =>
      occurrences(file, word).map(({ line, text }) => ({
        path: file.path,
        line,
        found: `says ${text}`,
        advice: `${advice}; only src/live and the fence of src/sim touch the real one`
      }))
    )
  )
}

function effectRuns(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return outside(files, [
    /^src\/[^/]+\.ts$/,
    /^src\/cli\//,
    // Where a thread begins.
    /^src\/campaign\/sim-thread-work\.ts$/,
    /^test\//,
    /^bench\//,
    /^properties\/.*\.property\.ts$/
  ]).flatMap((file) =>
    occurrences(file, /\bEffect\.run[A-Z]\w*|\bNodeRuntime\.runMain\b/g).map(({ line, text }) => ({
      path: file.path,
      line,
      found: `calls ${text}`,
      advice: "Give the effect back; entry files and src/cli run it"
    }))
  )
}

function longFiles(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return files.flatMap(({ path, text }) => {
    const lineCount = text.trimEnd().split("\n").length
    if (lineCount <= lineLimit || /\blong\b/i.test(firstComment(text))) return []
    const advice = `Split it by concept, or begin it with a comment that says why: "// Long: ..."`
    return [{ path, line: 1, found: `has ${lineCount} lines, more than ${lineLimit}`, advice }]
  })
}

function defaultExports(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return outside(files, [/\.config\.ts$/]).flatMap((file) =>
    occurrences(file, /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g).map(({ line }) => ({
      path: file.path,
      line,
      found: "exports a default",
      advice: "Export it by its name"
    }))
  )
}

function barrels(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return files.flatMap((file) => {
    if (!file.path.startsWith("src/") || /^src\/[^/]+\.ts$/.test(file.path)) return []
    const code = blank(file.text)
    const passesOn = /\bexport\s*(?:type\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)(?:\s*from\s*(["'])\s*\1)?/g
    const imports = /\bimport\s[^"']*?from\s*(["'])\s*\1/g
    const rest = code.replace(passesOn, "").replace(imports, "").replace(/;/g, "").trim()
    if (rest !== "" || !/\bexport\b/.test(code)) return []
    const advice = "Import from the files themselves; a barrel hides cycles and slows tests"
    return [{ path: file.path, line: 1, found: "holds nothing but exports of other files", advice }]
  })
}

function machineFiles(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  return files.flatMap((file) => {
    if (!file.path.startsWith("machines/")) return []
    const name = /^machines\/([^/]+)\.machine\.ts$/.exec(file.path)?.[1]
    if (name === undefined) {
      const advice = "Name it machines/NAME.machine.ts, or move what is no chart to src/domain"
      return [{ path: file.path, line: 1, found: "is no machine file", advice }]
    }
    const expected = `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Machine`
    const wanted = `export const ${expected}`
    const exported = occurrences(file, /\bexport\s+(?!type\b|interface\b)[^=({\n]*(?:\{[^}]*\})?/g)
    const others = exported.filter(({ text }) => text.trim() !== wanted)
    const wrongExports = others.map(({ line, text }) => ({
      path: file.path,
      line,
      found: `has "${text.trim()}"`,
      advice: `Export types and "const ${expected}" only; what others need as well goes to src/domain`
    }))
    const missing = { path: file.path, line: 1, found: `has no "${wanted}"`, advice: "Export the chart by that name" }
    return [...wrongExports, ...(exported.length === others.length ? [missing] : []), ...wrongChartId(file, name)]
  })
}

function wrongChartId(file: SourceFile, name: string): ReadonlyArray<Finding> {
  const code = blank(file.text)
  const start = code.indexOf("createMachine(")
  const match = /^createMachine\(\s*\{\s*id:\s*"([^"]*)"/.exec(code.slice(start))
  const idEnd = start + (match?.[0].length ?? 0) - 1
  const id = match === null ? "" : file.text.slice(idEnd - (match[1]?.length ?? 0), idEnd)
  if (start !== -1 && id === name) return []
  const found = id === "" ? "the chart does not begin with its id" : `the chart's id is "${id}"`
  return [{ path: file.path, line: lineAt(code, Math.max(start, 0)), found, advice: `Begin it with id: "${name}"` }]
}

const vague = /(?:^|[-/.])(?:utils?|helpers?|common|misc|managers?|[a-z]+[2-9])(?=[-/.]|$)/

function badNames(files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> {
  const kebab = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)?\.[a-z]+$/
  return files.flatMap(({ path }) => {
    const advice = "Name it in kebab-case after the one thing it holds, with at most one suffix for its role"
    if (!kebab.test(path)) return [{ path, line: 1, found: "the path is not in kebab-case", advice }]
    const word = vague.exec(path)?.[0]
    return word === undefined ? [] : [{ path, line: 1, found: `"${word.replace(/^\W/, "")}" says nothing`, advice }]
  })
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(\/|$)/.test(specifier)
}

function isOwnName(specifier: string): boolean {
  return /^llm-understudy(\/|$)/.test(specifier)
}

function outside(files: ReadonlyArray<SourceFile>, places: ReadonlyArray<RegExp>): ReadonlyArray<SourceFile> {
  return files.filter(({ path }) => !places.some((place) => place.test(path)))
}

/** Where code says a word; comments and strings do not count. */
function occurrences(file: SourceFile, word: RegExp): ReadonlyArray<{ readonly line: number; readonly text: string }> {
  const code = blank(file.text)
  return [...code.matchAll(word)].map((match) => ({ line: lineAt(code, match.index), text: match[0] }))
}

/** The comment that a file begins with, however many lines; empty without one. */
function firstComment(text: string): string {
  return /^(?:#!.*\n)?(?:\s*(?:\/\/.*|\/\*[\s\S]*?\*\/))*/.exec(text)?.[0] ?? ""
}
