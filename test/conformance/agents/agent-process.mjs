import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A run that takes this long hangs. */
const runMsMax = 60_000

/** Two runs, and some. */
export const checkMsMax = 150_000

/**
 * A folder for one check: `home` with the files given, an empty folder to work in, a folder for temporary files. All of
 * it is removed when `use` is over.
 */
export const withHome = async (files, use) => {
  const root = mkdtempSync(join(tmpdir(), "understudy-agent-"))
  try {
    const [home, work, temporary] = ["home", "work", "tmp"].map((name) => join(root, name))
    for (const folder of [home, work, temporary]) mkdirSync(folder)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text)
    }
    return await use({ home, work, temporary })
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Runs a program in a home, in a process group of its own that is gone afterwards. It inherits no environment, and
 * whatever calls out fails at once.
 *
 * **Fails** when the program takes longer than a minute
 */
export const run = async ([program, ...args], { home, work, temporary }, env = {}) => {
  const path = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":")
  const proxies = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" }
  const child = spawn(program, args, {
    cwd: work,
    env: { PATH: path, HOME: home, TMPDIR: temporary, ...proxies, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const closed = once(child, "close")
  const said = { stdout: "", stderr: "" }
  for (const name of Object.keys(said)) {
    child[name].setEncoding("utf8").on("data", (text) => {
      said[name] += text
    })
  }
  const guard = setTimeout(() => killGroup(child.pid), runMsMax)
  const [code] = await once(child, "exit")
  clearTimeout(guard)
  killGroup(child.pid)
  await closed
  if (code === null) throw new Error(`${program} was killed after ${runMsMax} ms; it said: ${JSON.stringify(said)}`)
  return { code, ...said }
}

const killGroup = (pid) => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch (error) {
    if (error.code !== "ESRCH") throw error
  }
}
