// @ts-check
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { findChromium } from "./find-chromium.mjs"

/** A mirror that does not answer must not hold up all other checks. */
const timeoutMs = 600_000

const skipped = "the tests that need it count as skipped"

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installChromium({
    env: process.env,
    isRoot: process.getuid?.() === 0,
    say: (line) => process.stderr.write(`${line}\n`)
  })
}

/**
 * Installs Debian's Chromium for the tests that need a real browser, where there is none and where that is allowed: there
 * is `apt-get`, and we are root or may become it without a password. Elsewhere it says what is missing. Never fails.
 *
 * @param {object} options
 * @param {Readonly<Record<string, string | undefined>>} options.env
 * @param {boolean} options.isRoot
 * @param {(line: string) => void} options.say
 * @param {ReadonlyArray<string>} [options.usual]
 */
export function installChromium({ env, isRoot, say, usual }) {
  if (findChromium(env, usual) !== null) return
  const { CHROMIUM: asked } = env
  if (asked !== undefined) {
    say(`there is no Chromium at CHROMIUM=${asked}; ${skipped}`)
    return
  }
  const asRoot = isRoot ? [] : ["sudo", "-n"]
  if (problemOf([...asRoot, "apt-get", "--version"], env) !== null) {
    say(`no Chromium is here, and only root can install one, with apt-get; ${skipped}`)
    return
  }
  say("no Chromium is here; installing Debian's")
  const apt = [...asRoot, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
  const problem =
    problemOf([...apt, "update"], env) ??
    problemOf([...apt, "install", "-y", "--no-install-recommends", "chromium"], env) ??
    (findChromium(env, usual) === null ? "it is at none of the usual places after that" : null)
  if (problem !== null) say(`${problem}; ${skipped}`)
}

/**
 * Runs a command; gives what went wrong.
 *
 * @param {ReadonlyArray<string>} command
 * @param {Readonly<Record<string, string | undefined>>} env
 */
function problemOf([program = "", ...args], env) {
  const { status, error, stderr } = spawnSync(program, args, {
    env: { ...env },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: timeoutMs
  })
  if (status === 0) return null
  const reason = error?.message ?? (stderr.trim().split("\n").at(-1) || `exit code ${status}`)
  return `${[program, ...args].join(" ")} failed: ${reason}`
}
