import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { installChromium } from "../../.ci/install-chromium.mjs"

/* Programs of the same names stand in for apt-get and sudo: they write down how they were called. */

/** A machine with some programs and perhaps a browser. */
const machine = (programs: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "understudy-machine-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const browser = join(folder, "chromium")
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const install = (options: { readonly isRoot: boolean; readonly CHROMIUM?: string }) => {
    const { isRoot, ...env } = options
    const said: Array<string> = []
    installChromium({ env: { PATH: folder, ...env }, isRoot, say: (line) => said.push(line), usual: [browser] })
    const calls = join(folder, "calls")
    return { said, calls: existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [], browser }
  }
  return { browser, install }
}

const env = '/usr/bin/env "$@"'
/** `apt-get -qq install ... chromium` brings the browser. */
const aptGet = `dir="$(/usr/bin/dirname "$0")"
[ "$1" = --version ] && exit 0
echo "apt-get $* $DEBIAN_FRONTEND" >> "$dir/calls"
[ "$2" = install ] && echo > "$dir/chromium"
exit 0`
const sudo = 'shift; exec "$@"'
const calls = [
  "apt-get -qq update noninteractive",
  "apt-get -qq install -y --no-install-recommends chromium noninteractive"
]

test("root installs it where it is missing, asking nobody", () => {
  const told = machine({ "apt-get": aptGet, env }).install({ isRoot: true })

  expect(told.calls).toEqual(calls)
  expect(told.said).toEqual(["no Chromium is here; installing Debian's"])
  expect(existsSync(told.browser)).toBe(true)
})

test("whoever may become root without a password does the same", () => {
  expect(machine({ "apt-get": aptGet, env, sudo }).install({ isRoot: false }).calls).toEqual(calls)
})

test("nothing is done where it is there", () => {
  const { browser, install } = machine({ "apt-get": aptGet, env })
  writeFileSync(browser, "")

  expect(install({ isRoot: true })).toMatchObject({ said: [], calls: [] })
})

test.each([
  ["no apt-get", {}, true],
  ["no sudo", { "apt-get": aptGet, env }, false],
  ["a sudo that asks for a password", { "apt-get": aptGet, env, sudo: "exit 1" }, false]
] as const)("with %s the tests are left out, and it is said", (_, programs, isRoot) => {
  const told = machine(programs).install({ isRoot })

  expect(told.calls).toEqual([])
  expect(told.said).toEqual([
    "no Chromium is here, and only root can install one, with apt-get; the tests that need it count as skipped"
  ])
})

test("what apt-get says last is passed on when it fails", () => {
  const offline = '[ "$1" = --version ] && exit 0; echo "E: no such host" >&2; exit 100'
  const { said } = machine({ "apt-get": offline, env }).install({ isRoot: true })

  expect(said[1]).toBe(
    "env DEBIAN_FRONTEND=noninteractive apt-get -qq update failed: E: no such host; the tests that need it count as skipped"
  )
})

test("a browser that was asked for by name and is not there is not replaced by another", () => {
  const told = machine({ "apt-get": aptGet, env }).install({ isRoot: true, CHROMIUM: "/nowhere" })

  expect(told).toMatchObject({
    calls: [],
    said: ["there is no Chromium at CHROMIUM=/nowhere; the tests that need it count as skipped"]
  })
})
