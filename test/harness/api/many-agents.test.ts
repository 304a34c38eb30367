import { expect, test } from "vitest"
import { type Harness, type MockInferenceServer, startHarness } from "../../../src/harness.ts"
import { markedProcesses } from "../../../src/live/proc-files.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"
import { type LeftBehind, watchLeftovers } from "./left-behind.ts"

/*
 * Sessions of real processes by the public entry. What is compared is counted before and after, when everything was closed. Seen to fail
 * on these bugs, planted one at a time: signals are listened to for good; a sandbox stays; timers are not cleared; a scope does not forget
 * what was closed by hand.
 */

const { cli } = fakeAgentProcesses()

const options = () => ({ variables: { FIXTURE_AGENT_BINARY: cli }, timing: false })

/** A whole session against the mock. */
const session = async (harness: Harness, mock: MockInferenceServer, text: string): Promise<string> => {
  await using agent = await harness.startAgent({ profile: "fixture", mock, leadingArgs: ["--via-mock"] })
  await agent.initialize()
  const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)
  await agent.prompt(sessionId, text)
  agent.assertClean()
  return agent.capturedText(sessionId)
}

/** Opens a harness, closes it, and says what is left; files that the first one opens for good are open before. */
const leaving = async (body: (harness: Harness) => Promise<void>) => {
  const left = watchLeftovers()
  const before = await left(null)
  let givenBack = 0
  const once = async (inside: typeof body): Promise<LeftBehind> => {
    const harness = await startHarness(options())
    await inside(harness)
    await harness.close()
    givenBack = harness.transitions().filter(({ event }) => event === "resource.next").length
    return left(harness)
  }
  const { openFiles } = await once(async (harness) => void (await session(harness, await harness.startMock(), "once")))
  const after = await once(body)
  return { after, before: { ...before, openFiles }, givenBack }
}

test("two hundred sessions in a row leave nothing, and their harness holds nothing of them", async () => {
  const held: Array<number> = []
  const { after, before, givenBack } = await leaving(async (harness) => {
    const mock = await harness.startMock()
    for (let number = 0; number < 200; number++) {
      expect(await session(harness, mock, `say ${number}`)).toBe(`Echo: say ${number}`)
      held.push(markedProcesses({ runId: harness.runId, spawnId: null }).length)
    }
    expect(mock.requests()).toHaveLength(200)
  })

  // When it closes it has the mock alone.
  expect([givenBack, new Set(held)]).toEqual([1, new Set([0])])
  expect(after).toEqual(before)
}, 600_000)

test("twenty sessions at once are strangers to each other, and leave nothing", async () => {
  const { after, before } = await leaving(async (harness) => {
    const mock = await harness.startMock()
    const asked = Array.from({ length: 20 }, (_, number) => session(harness, mock, `say ${number}`))

    expect(await Promise.all(asked)).toEqual(asked.map((_, number) => `Echo: say ${number}`))
  })

  expect(after).toEqual(before)
})

test("twenty sessions that a body leaves open are given back with its harness", async () => {
  const { after, before } = await leaving(async (harness) => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const agent = await harness.scope(`scope ${number % 3}`).startAgent({ profile: "fixture" })
        if (number % 2 === 0) await agent.initialize()
      })
    )
  })

  expect(after).toEqual(before)
})
