// @ts-check
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("packages", import.meta.url))
const files = ["package.json", "package-lock.json"]

/**
 * Installs the packages with bugs, and their fixed versions, into a cache folder outside the project, once for each lock
 * file, and gives the folder.
 *
 * **Fails** with what npm said
 *
 * @returns {string}
 */
export function installPackages() {
  const hash = createHash("sha256")
  for (const file of files) hash.update(readFileSync(join(packages, file)))
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "llm-understudy")
  const folder = join(cache, `corpus-${hash.digest("hex").slice(0, 12)}`)
  if (existsSync(folder)) return folder

  process.stderr.write(`installing packages of the corpus into ${folder}\n`)
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  try {
    for (const file of files) cpSync(join(packages, file), join(draft, file))
    const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: draft,
      // The settings that `npm run` hands down are those of another project.
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(?!local))/i.test(name))),
      encoding: "utf8"
    })
    if (result.status !== 0) throw new Error(`npm ci failed in ${draft}:\n${result.error?.message ?? result.stderr}`)
    // Another run may have been faster; its folder is as good.
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}
