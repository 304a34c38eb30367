import type { JsonObject } from "../agent-profile.ts"
import { claudeSurroundings } from "./claude-surroundings.ts"

const streamed = ["-p", "{prompt}", "--output-format", "{format}", "--verbose"]

/** The claude command line. Source: agent-harness.md, section 1.8, and the tool's documentation. */
export const claude: JsonObject = {
  id: "claude",
  displayName: "claude",
  tried: {
    headless: "real run",
    version: "2.1.197",
    note: "does not speak ACP; see claude-agent-acp"
  },
  binary: {
    env: ["CLAUDE_BINARY"],
    command: "claude",
    package: { name: "@anthropic-ai/claude-code", bin: "claude" },
    interpreter: "node"
  },
  headless: {
    args: ["-p", "{prompt}", "--output-format", "{format}"],
    formats: {
      text: { value: "text", output: "text" },
      json: { value: "json", output: "json", answer: { at: "/result" }, sessionId: "/session_id" },
      ndjson: {
        value: "stream-json",
        args: streamed,
        output: "ndjson",
        terminal: { type: "result" },
        answer: { at: "/result" },
        sessionId: "/session_id"
      }
    }
  },
  ...claudeSurroundings
}
