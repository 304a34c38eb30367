// @ts-check
import { existsSync } from "node:fs"

/** Where Debian and others put it. */
const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
]

/**
 * Where Chromium is: at `CHROMIUM` if that is set, or else at one of the usual places; `null` where there is none.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {ReadonlyArray<string>} usual
 * @returns {string | null}
 */
export function findChromium(env = process.env, usual = usualPaths) {
  const asked = env["CHROMIUM"]
  return (asked === undefined ? usual : [asked]).find((path) => existsSync(path)) ?? null
}
