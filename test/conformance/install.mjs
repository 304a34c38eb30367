// @ts-check
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("packages", import.meta.url))

/** The registry lacks platform packages that the agents name as optional, and `npm ci` insists on every one of them. */
const commands = { sdks: "ci", versions: "ci", agents: "install", runners: "ci" }

/**
 * Installs a pinned set of clients into a cache folder outside the project, once for each lock file, and gives the folder.
 *
 * **Fails** with what npm said
 *
 * @param {keyof typeof commands} name
 * @returns {string}
 */
export function install(name) {
  const manifest = readFileSync(join(packages, name, "package.json"))
  const lock = readFileSync(join(packages, name, "package-lock.json"))
  const platform = `${process.platform}-${process.arch}`
  const digest = createHash("sha256").update(platform).update(manifest).update(lock).digest("hex").slice(0, 12)
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "llm-understudy")
  const folder = join(cache, `conformance-${name}-${digest}`)
  if (existsSync(folder)) return folder

  process.stderr.write(`installing clients (${name}) into ${folder}\n`)
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  try {
    for (const file of ["package.json", "package-lock.json"]) cpSync(join(packages, name, file), join(draft, file))
    npm(commands[name], draft)
    // Resolves packages from the folder it stands in, by the rules of a module.
    writeFileSync(join(draft, "load.mjs"), "export const load = (name) => import(name)\n")
    moveWhole(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

/**
 * Another run may have been faster; its folder is as good.
 *
 * @param {string} draft
 * @param {string} folder
 */
function moveWhole(draft, folder) {
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/**
 * @param {string} command
 * @param {string} cwd
 */
function npm(command, cwd) {
  const options = ["--no-audit", "--no-fund", "--loglevel=error"]
  // The settings that `npm run` hands down are those of another project.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(?!local))/i.test(name))
  )
  const script = process.env["npm_execpath"]
  const [program, ...first] = script === undefined ? ["npm"] : [process.execPath, script]
  const result = spawnSync(program ?? "npm", [...first, command, ...options], { cwd, env, encoding: "utf8" })
  if (result.status === 0) return
  throw new Error(`npm ${command} failed in ${cwd}:\n${result.error?.message ?? result.stderr}`)
}
