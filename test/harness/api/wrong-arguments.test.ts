import { describe, expect, test } from "vitest"
import * as api from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"

/*
 * Arguments that are none, of the functions beside a harness and of what it gives. Seen to fail when `checkOption` refuses
 * nothing: `loadProfile` and `waitForReplay`, the first rows, came out as a TypeError from inside.
 */

const { cli } = fakeAgentProcesses()

/** Calls what is there by name, past the compiler. */
const call = async (target: object, name: string, ...args: ReadonlyArray<unknown>): Promise<unknown> => {
  const method: unknown = Reflect.get(target, name)
  if (typeof method !== "function") throw new Error(`no ${name}`)
  return Reflect.apply(method, target, args)
}

type Call = readonly [name: string, args: ReadonlyArray<unknown>, message: string]

const refuses = async (target: object, calls: ReadonlyArray<Call>): Promise<void> => {
  for (const [name, args, message] of calls)
    await expect(call(target, name, ...args), `${name}: ${message}`).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: expect.stringContaining(message)
    })
}

const ends = { clients: () => [], close: async () => {}, contain: () => {}, tell: () => {} }
const log = { wireLog: { isTruncated: () => false, entries: () => [] } }

describe("wrong arguments", () => {
  test("are refused by the functions that need no harness", () =>
    refuses(api, [
      ["loadProfile", [5], "the name of the profile is 5; give a text"],
      ["fakeAgent", [null], "the options are null; give an object"],
      ["fakeAgent", [{ args: "--x" }], 'args is "--x"; give a list'],
      ["withLeader", [null, async () => {}], "the fixture is null; give an object"],
      ["withLeader", [ends, 5], "the body is 5; give a function"],
      ["sessionRecording", [null, { variables: {} }], "the session is null"],
      ["sessionRecording", [log, undefined], "options is undefined; give an object"],
      ["sessionRecording", [log, { variables: { KEY: 5 } }], "options.variables.KEY is no text"],
      ["parseJson", [null], "the result is null"],
      ["parseNdjson", [{}], "the result.stdout is undefined; give a text"],
      ["terminalEvent", [{ stdout: "" }, null], "the format is null"],
      ["assertHeadlessSuccess", [null, "x"], "the result is null"],
      ["assertNoCrashes", [null], "the result is null"],
      ["assertNoCrashes", ["", { patterns: "x" }], 'patterns is "x"; give a list'],
      ["stderrTail", [5, 5], "the text is 5; give a text"]
    ]))

  test("are refused by a harness and by a sandbox", async () => {
    await using harness = await api.startHarness({ variables: { FIXTURE_AGENT_BINARY: cli }, watchdog: false })
    await refuses(harness, [
      ["waitForReplay", [null, { baseline: 0, timeoutMs: 0 }], "the client is null"],
      ["waitForReplay", [{ reconnectedCount: () => 0, notificationCount: () => 0 }], "the options are undefined"],
      ["waitForPidDeath", ["x", 0], 'pid is "x"; give a whole number'],
      ["acquire", [5, {}], "the name is 5; give a text"],
      ["acquire", ["x", null], "the acquisition is null"],
      ["acquire", ["x", { start: 5 }], "the acquisition.start is 5; give a function"],
      ["startMock", [null], "the options are null; give an object"]
    ])
    await refuses(await harness.makeSandbox(), [
      ["extend", [null], "the values is null; give an object"],
      ["set", [5, "x"], "a variable cannot be named 5"],
      ["set", [Symbol("x"), "x"], "a variable cannot be named"],
      ["environment", [null], "the options are null"],
      ["environment", [{ changes: [5] }], "changes[0] is 5"],
      ["setMock", [5], "the URL of the mock is 5; give a text"],
      ["setMock", ["http://127.0.0.1:1", null], "what is said of the mock is null"]
    ])
  })
})
