import { expect, test } from "vitest"
import { type OpeningCalls, openAgentSession } from "../../src/cli/agent-opening.ts"
import type { ModelSelection } from "../../src/harness/profile/agent-profile.ts"
import { builtInProfile } from "../../src/harness/profile/built-in-profiles.ts"

// Seen to fail when src/cli/agent-opening.ts leaves the limit out of any one of its calls.

const opened = async (modelSelection: ModelSelection, timeoutMs: number | undefined) => {
  const seen: Array<readonly [call: string, deadlineMs: number | null | undefined]> = []
  const agent: OpeningCalls = {
    async initialize(options) {
      seen.push(["initialize", options?.deadlineMs])
      return {}
    },
    async createSession(_, options) {
      seen.push(["createSession", options?.deadlineMs])
      return { sessionId: "s", result: {} }
    },
    async createSessionWithModel(_, model, options) {
      seen.push([`createSessionWithModel ${model}`, options?.deadlineMs])
      return { sessionId: "s", result: {} }
    },
    async setModel(_, model, options) {
      seen.push([`setModel ${model}`, options?.deadlineMs])
      return { ok: true, result: {} }
    }
  }
  const { acp } = builtInProfile("fixture")
  if (acp === null) throw new Error("the fixture speaks ACP")
  const profile = { acp: { ...acp, modelSelection } }
  const sessionId = await openAgentSession(agent, {
    asked: { model: "m", timeoutMs },
    profile,
    cwd: "/",
    initialized: () => seen.push(["initialized", undefined])
  })
  expect(sessionId).toBe("s")
  return seen
}

test("each call before the first turn has the limit that was asked for", async () => {
  expect(await opened({ method: "session/set_model" }, 2000)).toEqual([
    ["initialize", 2000],
    ["initialized", undefined],
    ["createSession", 2000],
    ["setModel m", 2000]
  ])
  expect((await opened({ newSessionMeta: "modelId" }, 2000)).at(-1)).toEqual(["createSessionWithModel m", 2000])
  expect((await opened("none", 2000)).at(-1)).toEqual(["createSession", 2000])
})

test("without a limit each has its usual one", async () => {
  const seen = await opened({ method: "session/set_model" }, undefined)

  expect(seen.map(([, deadlineMs]) => deadlineMs)).toEqual([undefined, undefined, undefined, undefined])
})
