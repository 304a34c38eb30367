// @ts-check
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * A project outside this tree that has the package as its users get it: built from these sources, packed, installed from the
 * tarball with no network.
 *
 * @typedef {object} PackedProject
 * @property {string} folder
 * @property {string} installed where the package is
 * @property {(name: string) => void} link gives the project a package of this tree
 * @property {() => void} remove
 */

/**
 * @param {{ readonly types?: boolean }} [options] with `types` also what takes the compiler
 * @returns {PackedProject}
 */
export function packedProject({ types = false } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), "understudy-package-"))
  const folder = join(scratch, "project")
  const tarball = pack(join(scratch, "stage"), types ? [] : ["--no-types"])
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  npm(folder, ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball])
  return {
    folder,
    installed: join(folder, "node_modules/llm-understudy"),
    link(name) {
      const target = join(folder, "node_modules", name)
      mkdirSync(dirname(target), { recursive: true })
      if (!existsSync(target)) symlinkSync(join(root, "node_modules", name), target, "junction")
    },
    remove: () => rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * In a folder of its own, so that nobody's `dist` changes under him. Gives the path of the tarball.
 *
 * @param {string} stage
 * @param {ReadonlyArray<string>} buildOptions
 */
function pack(stage, buildOptions) {
  mkdirSync(stage)
  for (const name of ["package.json", "LICENSE", "CHANGELOG.md", "README.md"]) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(stage, name))
  }
  const args = [join(root, ".ci/build.mjs"), "--out", join(stage, "dist"), ...buildOptions]
  const build = spawnSync(process.execPath, args, { encoding: "utf8" })
  if (build.status !== 0) throw new Error(`the package cannot be built:\n${build.stdout}${build.stderr}`)
  npm(stage, ["pack", "--ignore-scripts", "--silent"])
  const tarball = readdirSync(stage).find((name) => name.endsWith(".tgz"))
  if (tarball === undefined) throw new Error(`npm pack wrote no tarball to ${stage}`)
  return join(stage, tarball)
}

/**
 * @param {string} cwd
 * @param {ReadonlyArray<string>} args
 */
function npm(cwd, args) {
  execFileSync("npm", args, { cwd, stdio: "pipe" })
}
