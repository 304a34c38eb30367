import type { JsonObject } from "../agent-profile.ts"
import { nodeCrashes } from "./node-crashes.ts"

/** What everything that runs claude needs around it. Source: agent-harness.md, section 1.8. */
export const claudeSurroundings = {
  mock: {
    env: { ANTHROPIC_BASE_URL: "{mockOrigin}", ANTHROPIC_API_KEY: "{apiKey}" },
    wire: ["Messages"]
  },
  sandbox: {
    homeEnv: { CLAUDE_CONFIG_DIR: "{stateDir}" },
    stateDir: ".claude",
    killSwitches: {
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
    }
  },
  crashPatterns: nodeCrashes
} satisfies JsonObject
