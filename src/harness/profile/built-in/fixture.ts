import type { JsonObject } from "../agent-profile.ts"

/** The scripted agent that tests of the harness itself use. Source: agent-harness.md, appendix A. */
export const fixture: JsonObject = {
  id: "fixture",
  displayName: "fixture",
  tried: { acp: "real run", headless: "real run", note: "the scripted agent of this package" },
  binary: {
    env: ["FIXTURE_AGENT_BINARY"],
    roleEnv: { leader: "FIXTURE_LEADER_BINARY", client: "FIXTURE_CLIENT_BINARY" },
    interpreter: "node"
  },
  acp: { args: [], exitsOnStdinEof: { exits: true, withinMs: 5000 } },
  headless: {
    args: ["-p", "{prompt}", "--output-format", "{format}"],
    formats: {
      text: { value: "text", output: "text" },
      json: { value: "json", output: "json", answer: { at: "/text" }, sessionId: "/sessionId" },
      ndjson: { value: "ndjson", output: "ndjson", terminal: { type: "end" }, sessionId: "/sessionId" }
    }
  },
  mock: {
    env: { FIXTURE_MOCK_URL: "{mockUrl}", FIXTURE_API_KEY: "{apiKey}" },
    wire: ["ChatCompletions"]
  },
  sandbox: { homeEnv: { FIXTURE_HOME: "{stateDir}" }, stateDir: ".fixture" },
  ext: { prefixes: ["fixture/"] },
  leader: { args: ["leader"], clientArgs: [], socketEnv: "FIXTURE_LEADER_SOCKET" }
}
