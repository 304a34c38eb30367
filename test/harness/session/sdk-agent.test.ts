import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { liveAgentWorld } from "../agent-world.ts"
import { openSmall } from "./live-agent.ts"

const program = join(import.meta.dirname, "../fixtures/sdk-agent.mjs")

it("agrees with the agent side of the official SDK on all that a session says and answers", async () => {
  const world = liveAgentWorld({ SMALL_AGENT: program })
  const { agent, sessionId, ask } = await openSmall(world, { strict: true, fs: true, terminal: true })
  const { workspace } = agent.sandbox.paths
  writeFileSync(join(workspace, "note"), "of a file\n")

  expect(sessionId).toBe(`of ${workspace}`)
  expect(await ask("hello")).toBe("Echo: hello")
  expect(await ask("ask")).toBe("allowed by allow_once")
  expect(await ask(`read ${join(workspace, "note")}`)).toBe("of a file\n")
  expect(await ask("run abc")).toBe("abc 0")
  await agent.setMode(sessionId, "plan")
  await agent.loadSession(sessionId, workspace)
  expect(agent.updates().at(-1)).toMatchObject({ messageText: "replayed" })
  const slow = agent.prompt(sessionId, "slow")
  agent.cancel(sessionId)
  expect(await slow).toMatchObject({ stopReason: "cancelled" })
  expect(await agent.extMethod("x.ai/none", {}).catch(({ code }) => code)).toBe(-32_601)
  agent.assertClean()
  expect(await agent.close({ mode: "eof" })).toMatchObject({ reason: "NaturalExit", exitCode: 0 })
})
