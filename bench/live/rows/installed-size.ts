import { execFileSync } from "node:child_process"
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Figure, MeasureRow } from "../../shared/row.ts"
import { installedPeer, peersFor } from "../server/targets.ts"

const mebibyte = 1_024 * 1_024
const root = process.env["UNDERSTUDY_BENCH_ROOT"] ?? process.cwd()

const how =
  "The sizes of files of a package and of all that it depends on, optional and peer dependencies aside, as they are installed; ours as `npm pack` " +
  "packs it, with its dependencies of this checkout."

interface Installed {
  readonly bytes: number
  readonly packages: number
}

export const measureInstalledSize: MeasureRow = async (usual) => {
  const figures: Array<Figure> = []
  const tell = (name: string, { bytes, packages }: Installed, isOurs: boolean): void => {
    figures.push(
      { what: `${name}: size`, value: bytes / mebibyte, unit: "MiB", ...(isOurs ? { bar: { atMost: 20 } } : {}) },
      { what: `${name}: packages`, value: packages, unit: "packages", ...(isOurs ? { bar: { atMost: 15 } } : {}) }
    )
  }
  tell("ours", ownSize(), true)
  for (const { name } of peersFor(usual)) {
    const folder = installedPeer(name)
    if (folder !== null) tell(name, sizeOf(closureOf(folder)), false)
  }
  return { how, figures, problems: [] }
}

/** What is packed of us, and the folders of our dependencies. */
const ownSize = (): Installed => {
  const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"))
  try {
    const said = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [packed]: ReadonlyArray<{ readonly unpackedSize: number }> = JSON.parse(said)
    const others = sizeOf(closureOf(root).filter((path) => path !== root))
    return { bytes: (packed?.unpackedSize ?? Number.NaN) + others.bytes, packages: 1 + others.packages }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The folders of a package and of all that it depends on, found as Node finds them. */
const closureOf = (folder: string, seen: ReadonlySet<string> = new Set()): ReadonlyArray<string> => {
  const folders = new Set([...seen, folder])
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const found = lookUp(folder, name)
    if (found === null) throw new Error(`${folder} depends on ${name}, which is not installed`)
    if (!folders.has(found)) for (const path of closureOf(found, folders)) folders.add(path)
  }
  return [...folders]
}

const lookUp = (from: string, name: string): string | null => {
  const path = join(from, "node_modules", name)
  if (existsSync(path)) return path
  return dirname(from) === from ? null : lookUp(dirname(from), name)
}

const sizeOf = (folders: ReadonlyArray<string>): Installed => ({
  bytes: folders.reduce((sum, folder) => sum + bytesIn(folder), 0),
  packages: folders.length
})

/** Packages within a package count for themselves. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === "node_modules") return sum
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesIn(path) : lstatSync(path).size)
  }, 0)
