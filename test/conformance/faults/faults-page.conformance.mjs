import { equal } from "node:assert/strict"
import { execFile } from "node:child_process"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { writeName } from "../report.mjs"

/** A page that takes this long hangs. */
const guardMs = 180_000

const script = fileURLToPath(new URL("../faults-page.mjs", import.meta.url))
const name = writeName({ family: "docs/faults.md", client: "page", check: "says what the clients do" })

test(name, { timeout: guardMs }, async () => {
  const stale = await new Promise((resolve) => {
    execFile(process.execPath, [script, "--check"], { timeout: guardMs }, (error, stdout, stderr) =>
      resolve(error === null ? "" : `${stdout}${stderr}` || error.message)
    )
  })

  equal(stale, "", `the page is stale, run node test/conformance/faults-page.mjs --write; it lacks:\n${stale}`)
})
