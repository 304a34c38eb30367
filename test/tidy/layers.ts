/**
 * Who may import whom, as data. A file belongs to the first row whose `files` fit; the special rows of a folder come
 * before the row of the folder.
 */
export interface Layer {
  readonly name: string
  readonly files: RegExp
  /** Beginnings of paths that these files may import. */
  readonly ours: ReadonlyArray<string>
  /** Beginnings of paths that they may not, although `ours` allows them. */
  readonly never?: ReadonlyArray<string>
  /** Packages: a name, `node:*`, or one of the three ways to use Effect below. */
  readonly packages: ReadonlyArray<string>
}

/** Data modules only; the stable modules, which are those directly under `effect`; all of it, the unstable folders too. */
const effectData = "effect (data)"
const effectStable = "effect (stable)"
const effectAll = "effect"

const core = ["src/domain/", "src/wire/", "src/kernel/", "src/ports/", "machines/", "src/supervisor/"]
const everything = ["src/", "machines/", "properties/"]
const edge = [effectAll, "xstate", "fast-check", "vitest", "@jest/globals", "undici", "yaml", "node:*"]

export const layers: ReadonlyArray<Layer> = [
  { name: "domain", files: /^src\/domain\//, ours: ["src/domain/"], packages: ["node:crypto", effectData] },
  { name: "machines", files: /^machines\//, ours: ["machines/", "src/domain/"], packages: ["xstate"] },
  { name: "wire", files: /^src\/wire\//, ours: ["src/wire/", "src/domain/"], packages: [] },
  { name: "kernel", files: /^src\/kernel\//, ours: ["src/kernel/", "src/domain/"], packages: [] },
  {
    name: "ports",
    files: /^src\/ports\//,
    ours: ["src/ports/", "src/domain/", "src/wire/", "src/kernel/"],
    packages: [effectStable]
  },
  {
    name: "supervisor, lifetimes",
    files: /^src\/supervisor\/(connection|lifetime)\.ts$/,
    ours: ["src/supervisor/", "src/domain/", "src/kernel/", "src/ports/", "machines/"],
    packages: ["xstate", effectStable]
  },
  {
    name: "supervisor",
    files: /^src\/supervisor\//,
    ours: ["src/supervisor/", "src/domain/", "src/kernel/", "src/ports/", "machines/"],
    packages: ["xstate"]
  },
  { name: "serving", files: /^src\/serving\//, ours: [...core, "src/serving/"], packages: [effectStable] },
  {
    name: "inference, the decision",
    files: /^src\/inference\/(decision|decide)/,
    ours: [...core, "src/serving/", "src/inference/", "src/faults/catalogue"],
    packages: []
  },
  {
    name: "inference",
    files: /^src\/inference\//,
    ours: [...core, "src/serving/", "src/inference/", "src/faults/catalogue"],
    packages: [effectStable]
  },
  {
    name: "faults",
    files: /^src\/faults\//,
    ours: [...core, "src/serving/", "src/faults/"],
    packages: [effectStable]
  },
  {
    name: "harness",
    files: /^src\/harness\//,
    ours: [...core, "src/harness/", "src/proxy/"],
    packages: [effectStable]
  },
  {
    name: "proxy, fault plans",
    files: /^src\/proxy\/plan\//,
    ours: ["src/domain/", "src/wire/", "src/kernel/", "src/proxy/plan/"],
    packages: []
  },
  {
    name: "proxy, framings",
    files: /^src\/proxy\/framing\//,
    ours: ["src/domain/", "src/wire/", "src/ports/stream-port.ts", "src/proxy/"],
    packages: []
  },
  { name: "proxy", files: /^src\/proxy\//, ours: [...core, "src/proxy/"], packages: [effectStable] },
  {
    name: "sim, fence and transport",
    files: /^src\/sim\/(fence|transport)/,
    ours: ["src/sim/", "src/kernel/", "src/ports/", "src/domain/", "src/wire/", "src/supervisor/"],
    packages: [effectStable, "node:*", "undici"]
  },
  {
    name: "sim",
    files: /^src\/sim\//,
    ours: ["src/sim/", "src/kernel/", "src/ports/", "src/domain/", "src/wire/", "src/supervisor/"],
    packages: [effectStable]
  },
  {
    name: "explore",
    files: /^src\/explore\//,
    ours: ["src/explore/", "src/kernel/", "src/ports/", "src/domain/", "src/wire/", "src/supervisor/"],
    packages: [effectStable]
  },
  { name: "oracles", files: /^src\/oracles\//, ours: ["src/oracles/", "src/domain/", "src/kernel/"], packages: [] },
  { name: "report", files: /^src\/report\//, ours: ["src/report/", "src/domain/", "src/kernel/"], packages: [] },
  {
    name: "live",
    files: /^src\/live\//,
    ours: ["src/live/", "src/domain/", "src/wire/", "src/kernel/", "src/ports/"],
    packages: [effectAll, "node:*", "undici"]
  },
  // What joins the simulated world, exploration, oracles and reports for people who write tests.
  { name: "campaign", files: /^src\/campaign\//, ours: everything, never: ["src/cli/"], packages: edge },
  { name: "entry files", files: /^src\/[^/]+\.ts$/, ours: everything, never: ["src/cli/"], packages: edge },
  { name: "cli", files: /^src\/cli\//, ours: everything, packages: edge },
  {
    name: "property files",
    files: /^properties\/.*\.property\.ts$/,
    ours: [...everything, "test/"],
    never: ["src/live/", "src/cli/"],
    packages: [effectStable, "xstate", "fast-check", "vitest", "node:*"]
  },
  {
    name: "properties, generators",
    files: /^properties\//,
    ours: everything,
    never: ["src/live/", "src/cli/"],
    packages: [effectStable, "xstate", "fast-check"]
  },
  // Measures what is internal, and what tests have of programs and worlds.
  { name: "bench", files: /^bench\//, ours: [""], packages: ["*"] },
  { name: "test", files: /^test\//, ours: [""], packages: ["*"] }
]

/** The row of a file, or undefined when nobody has said what its folder may import. */
export function layerOf(path: string): Layer | undefined {
  return layers.find(({ files }) => files.test(path))
}

export function canImportFile(layer: Layer, path: string): boolean {
  return (
    layer.ours.some((start) => path.startsWith(start)) && !(layer.never ?? []).some((start) => path.startsWith(start))
  )
}

/** `names` are what the import takes from the package; they tell data modules of Effect from the others. */
export function canImportPackage(layer: Layer, specifier: string, names: ReadonlyArray<string>): boolean {
  return layer.packages.some((allowed) => {
    if (allowed === "*") return true
    if (allowed === "node:*") return specifier.startsWith("node:")
    if (allowed === effectData) return isEffectData(specifier, names)
    if (allowed === effectStable) return /^effect(\/[A-Z]\w*)?$/.test(specifier)
    return isPartOf(allowed, specifier)
  })
}

const dataModules = new Set(
  (
    "Array BigDecimal BigInt Boolean Brand Bytes Chunk Combiner Data Duration Equal Equivalence Filter Function Hash " +
    "HashMap HashSet Iterable Match Newtype Number Optic Option Order Pipeable Predicate Record Redacted Reducer RegExp " +
    "Result Schema SchemaAST SchemaGetter SchemaIssue SchemaParser SchemaTransformation String Struct Symbol Trie " +
    "Tuple Types absurd flow identity pipe"
  ).split(" ")
)

function isEffectData(specifier: string, names: ReadonlyArray<string>): boolean {
  if (specifier === "effect") return names.every((name) => dataModules.has(name))
  return specifier.startsWith("effect/") && dataModules.has(specifier.slice("effect/".length))
}

function isPartOf(name: string, specifier: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`)
}
