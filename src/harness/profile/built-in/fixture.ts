import type { JsonObject } from "../agent-profile.ts"

/**
 * The fake agent of this package, `understudy fake-agent`, which is found wherever the package is installed. Its flags go behind
 * `acp.args`. Source: agent-harness.md, appendix A.
 */
export const fixture: JsonObject = {
  id: "fixture",
  displayName: "fixture",
  tried: { acp: "real run", headless: "real run", note: "the fake agent of this package" },
  binary: {
    env: ["FIXTURE_AGENT_BINARY"],
    roleEnv: { leader: "FIXTURE_LEADER_BINARY", client: "FIXTURE_CLIENT_BINARY" },
    package: { name: "llm-understudy", bin: "understudy" },
    command: "understudy",
    interpreter: "node"
  },
  acp: {
    args: ["fake-agent"],
    leadingArgsPosition: "after",
    auth: { methodId: "fixture.api_key", meta: { headless: true } },
    modelSelection: { method: "session/set_model" },
    exitsOnStdinEof: { exits: true, withinMs: 5000 }
  },
  headless: {
    args: ["fake-agent", "-p", "{prompt}", "--output-format", "{format}"],
    formats: {
      text: { value: "text", output: "text" },
      json: { value: "json", output: "json", answer: { at: "/text" }, sessionId: "/sessionId" },
      ndjson: {
        value: "ndjson",
        output: "ndjson",
        terminal: { type: "end" },
        answer: { event: { type: "text" }, at: "/text", parts: "all" },
        sessionId: "/sessionId",
        events: ["text", "end"]
      }
    }
  },
  mock: {
    env: { FIXTURE_MOCK_URL: "{mockUrl}", FIXTURE_API_KEY: "{apiKey}" },
    wire: ["ChatCompletions"]
  },
  sandbox: { homeEnv: { FIXTURE_HOME: "{stateDir}" }, stateDir: ".fixture" },
  ext: { prefixes: ["fixture/", "x.ai/"] },
  leader: {
    args: ["fake-agent", "leader"],
    clientArgs: ["fake-agent", "leader-client"],
    socketEnv: "FIXTURE_LEADER_SOCKET",
    files: { socket: "leader.sock", lock: "leader.lock", log: "leader.log", events: "logs/unified.jsonl" }
  }
}
