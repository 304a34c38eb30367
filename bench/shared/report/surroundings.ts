import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus, loadavg, release, type } from "node:os"
import type { Bench } from "../bench.ts"

/** Where and of what figures were taken. */
export interface Surroundings {
  readonly at: string
  readonly machine: string
  readonly load: string
  readonly node: string
  readonly commit: string
  readonly packages: Readonly<Record<string, string>>
}

/** **Takes** the root of the project */
export const readSurroundings = (
  { packages, sources }: Pick<Bench, "packages" | "sources">,
  root: string
): Surroundings => ({
  at: new Date().toISOString().slice(0, 16).replace("T", " "),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, ${type()} ${release()}`,
  load: (loadavg()[0] ?? Number.NaN).toFixed(1),
  node: process.versions.node,
  commit: commitOf(root, sources),
  packages: Object.fromEntries(packages.map((name) => [name, versionOf(root, name)]))
})

const commitOf = (root: string, sources: ReadonlyArray<string>): string => {
  const git = (...args: ReadonlyArray<string>): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
  try {
    const isChanged = git("status", "--porcelain", "--untracked-files=no", "--", ...sources) !== ""
    return `${git("rev-parse", "--short=12", "HEAD")}${isChanged ? " with changes" : ""}`
  } catch {
    return "unknown"
  }
}

const versionOf = (root: string, name: string): string => {
  const manifest: { readonly version?: string } = JSON.parse(
    readFileSync(`${root}/node_modules/${name}/package.json`, "utf8")
  )
  return manifest.version ?? "unknown"
}
