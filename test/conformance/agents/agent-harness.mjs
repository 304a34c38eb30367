import { join } from "node:path"
import { MockModelEntry } from "llm-understudy"
import { withHarness } from "llm-understudy/harness"
import { checkEach, folderOf } from "../check.mjs"

/** A check of one agent has several runs, and each may take a minute. */
export const checkMsMax = 150_000

const installed = (path) => join(folderOf("agents"), "node_modules", path)

/** Where the installed agents are, as their profiles look for them. */
const variables = () => ({
  GROK_BINARY: installed("@xai-official/grok/bin/grok-native"),
  CODEX_BINARY: installed("@openai/codex/bin/codex.js"),
  PI_BINARY: installed("@mariozechner/pi-coding-agent/dist/cli.js")
})

/** Whatever calls out fails at once. */
const nowhere = { HTTPS_PROXY: "http://127.0.0.1:9" }

/**
 * One row of an agent's table, for each of its clients. `body` gets the mock `server`, which has one model, the `client`, a `harness` that
 * must be left with nothing in it, and a `sandbox` that is wired to the server and in which the profile that `profileOf` gives is at home.
 */
export const checkAgents = (clients, { profileOf }, title, body) =>
  checkEach(
    clients,
    title,
    (server, client) => {
      server.setModels([MockModelEntry.new("mock-model")])
      return withHarness(
        async (harness) => {
          const profile = await profileOf(client)
          const sandbox = await harness.makeSandbox({ profile, mock: server })
          sandbox.extend(nowhere)
          await body({ server, client, harness, profile, sandbox })
        },
        { variables: variables(), timing: false }
      )
    },
    { ms: checkMsMax }
  )
