import { deepEqual, equal } from "node:assert/strict"
import { spawnCountingServer } from "llm-understudy"
import { loadProfile } from "llm-understudy/harness"
import { checkAgents } from "./agent-harness.mjs"

/*
 * Whom agents call besides the mock: everybody else is behind a proxy of ours, which counts. Seen to fail: a profile of codex that leaves
 * its plugins on, which asks github.com.
 */

const clients = [
  { family: "grok 1.0.41", name: "chat", id: "grok" },
  { family: "codex 0.171.0", name: "responses", id: "codex" },
  { family: "pi 0.73.1", name: "chat", id: "pi" }
]

const profileOf = ({ id }) => loadProfile(id)

checkAgents(clients, { profileOf }, "calls nobody but the mock", async ({ harness, profile, sandbox }) => {
  const stranger = await spawnCountingServer()
  try {
    const proxy = new URL(stranger.url()).origin
    const names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()])
    sandbox.extend(Object.fromEntries(names.map((name) => [name, proxy])))

    const { exitCode, stderr } = await harness.runPrompt({ profile, sandbox, prompt: "hello" })

    deepEqual(stranger.requestHeads(), [])
    equal(exitCode, 0, stderr)
  } finally {
    await stranger.close()
  }
})
