import { describe, expect, test } from "vitest"
import { type Harness, setVariable, startHarness, withHarness } from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"

/*
 * Wrong options, as those give them who have no compiler: each is refused by a typed error that names option, value and what to give, before anything
 * is started. Seen to fail when `checkedScope` is left out of `scopeApi`, and when the paths in the messages of errors are not clipped.
 */

const { cli } = fakeAgentProcesses()
const options = () => ({ variables: { FIXTURE_AGENT_BINARY: cli }, timing: false, watchdog: false })

/** Calls what is there by name, past the compiler. */
const call = async (target: object, name: string, ...args: ReadonlyArray<unknown>): Promise<unknown> => {
  const method: unknown = Reflect.get(target, name)
  if (typeof method !== "function") throw new Error(`no ${name}`)
  return Reflect.apply(method, target, args)
}

const invalid = (message: string | RegExp) =>
  expect.objectContaining({ _tag: "InvalidOption", message: expect.stringMatching(message) })

const calls: ReadonlyArray<readonly [name: string, args: ReadonlyArray<unknown>, message: string]> = [
  ["startAgent", [], "the options are undefined; give an object"],
  ["startAgent", [{}], "profile is undefined; give the id of a built-in one"],
  ["startAgent", [{ profile: { displayName: "x", sandbox: {} } }], "profile is .* what readProfile gives"],
  ["startAgent", [{ profile: "fixture", permisions: "hold" }], 'no option "permisions"; did you mean "permissions"'],
  ["startAgent", [{ profile: "fixture", permissions: "defalt" }], 'permissions is "defalt"; did you mean "default"'],
  ["startAgent", [{ profile: "fixture", permissions: { scripted: ["yes"] } }], "permissions.scripted\\[0\\] is"],
  ["startAgent", [{ profile: "fixture", mock: 5 }], "mock is no mock; give what startMock gives"],
  ["startAgent", [{ profile: "fixture", cwd: 5 }], "cwd is 5; give a path"],
  ["startAgent", [{ profile: "fixture", sandbox: {} }], "sandbox is no sandbox"],
  ["startAgent", [{ profile: "fixture", leadingArgs: "--x" }], 'leadingArgs is "--x"; give a list'],
  ["startAgent", [{ profile: "fixture", strict: "no" }], 'strict is "no"; give true or false'],
  ["startRawClient", [{ profile: "fixture", answers: { x: 5 } }], "answers.x is no answer"],
  ["runPrompt", [{ profile: "fixture" }], "prompt is undefined; give a text"],
  ["runPrompt", [{ profile: "fixture", prompt: "x", capMs: Number.NaN }], "capMs is NaN; give milliseconds"],
  ["runHeadless", [{ profile: "fixture", args: "-p" }], 'args is "-p"; give a list'],
  ["runCommand", [{}], "program is undefined; give a path"],
  ["runCommand", [{ program: "true", environment: {} }], 'no option "environment"'],
  ["runCommand", [{ program: "true", capMs: "5" }], 'capMs is "5"; give milliseconds'],
  ["spawn", [{ program: "true", stdin: "pipe" }], 'stdin is "pipe"; did you mean "piped"'],
  ["spawn", [{ program: 5 }], "program is 5; give a path"],
  ["makeSandbox", [{ git: 1 }], "git is 1; give true or false"],
  ["startLeader", [{ profile: "fixture", readyMs: "5" }], 'readyMs is "5"; give milliseconds'],
  ["connectLeader", [""], "the address is no place where a leader listens"],
  ["connectLeader", ["/x.sock", { mode: "std" }], 'mode is "std"'],
  ["startFakeLeader", ["/x.sock", { herd: () => {} }], 'did you mean "heard"'],
  ["startProxy", [5, "/x.sock"], "listen is 5; give unix:PATH"],
  ["startProxy", ["/y.sock", "x"], 'upstream is "x"'],
  ["startProxy", ["/y.sock", "/x.sock", { dropFrames: 1 }], 'did you mean "dropFrame"'],
  ["startProxy", ["/y.sock", "/x.sock", {}, { seed: -1 }], "seed is -1; give a whole number"],
  ["startProxy", ["/y.sock", "/x.sock", {}, { framing: "ndjsn" }], 'did you mean "ndjson"'],
  ["leaderHome", [{ profile: "fixture" }], "home is undefined; give a path"],
  ["waitForPidDeath", [1, "5"], 'timeoutMs is "5"'],
  ["scope", [5], "the name is 5; give a text"],
  ["defer", ["x", 5], "the finalizer is 5; give a function"]
]

describe("a harness", () => {
  test("refuses what is no option, or no value of one, and says what to give instead", async () => {
    await using harness = await startHarness(options())

    for (const [name, args, message] of calls)
      await expect(call(harness, name, ...args), `${name} ${message}`).rejects.toEqual(invalid(message))
    expect(harness.transitions().filter(({ chart }) => chart === "owned-process")).toEqual([])
  })

  test("refuses options of its own that it does not know, and a body that is none", async () => {
    const open: (given?: unknown) => Promise<Harness> = (given) =>
      Promise.resolve(Reflect.apply(startHarness, null, [given]))

    await expect(open(null)).rejects.toEqual(invalid("the options are null"))
    await expect(open({ watchdogs: true })).rejects.toEqual(invalid('did you mean "watchdog"'))
    await expect(open({ variables: { KEY: 5 } })).rejects.toEqual(invalid("variables.KEY is no text"))
    await expect(Promise.resolve(Reflect.apply(withHarness, null, []))).rejects.toEqual(
      invalid("the body is undefined")
    )
  })

  test("never shows what an argument or a variable held", async () => {
    await using harness = await startHarness(options())
    const secret = 424_242_424_242
    const failed = call(harness, "startAgent", { profile: "fixture", env: { KEY: secret } })

    await expect(failed).rejects.toEqual(invalid("^env.KEY is no text; give a text$"))
  })

  test("says of paths that are too long for the system that nothing is there, and shows their beginning", async () => {
    await using harness = await startHarness(options())
    const long = `/${"a/".repeat(3_000)}`
    const failures = [
      harness.spawn({ program: "a".repeat(5_000) }),
      harness.spawn({ program: long }),
      harness.spawn({ program: "true", cwd: long })
    ].map((failed) => failed.catch((error: unknown) => error))
    const [name, path, cwd] = await Promise.all(failures)

    expect([name, path, cwd]).toMatchObject([
      { _tag: "BinaryNotFound" },
      { _tag: "BinaryNotFound" },
      { _tag: "SpawnCwdMissing", cwd: long }
    ])
    for (const error of [name, path, cwd]) expect(String(error).length).toBeLessThan(600)
  })

  test.runIf(process.platform === "linux")(
    "says with the first sandbox that the folder for temporary files is not there",
    async () => {
      using _ = setVariable("TMPDIR", "/no/such/folder")
      await using harness = await startHarness(options())

      const message = expect.stringContaining("/no/such/folder/us-")
      await expect(harness.makeSandbox()).rejects.toMatchObject({ _tag: "SandboxError", message })
    }
  )

  test("gives sessions and raw clients that refuse what they cannot send, and go on", async () => {
    await using harness = await startHarness(options())
    const agent = await harness.startAgent({ profile: "fixture" })
    const raw = await harness.startRawClient({ profile: "fixture" })
    const wrong: ReadonlyArray<readonly [target: object, name: string, args: ReadonlyArray<unknown>, message: string]> =
      [
        [agent, "request", [Symbol("ping"), {}], "the method is"],
        [agent, "request", ["ping", {}, null], "the options are null"],
        [agent, "notify", ["ping", 5n], "the parameters of ping cannot be sent"],
        [agent, "extMethod", [5, {}], "the method is 5"],
        [agent, "prompt", ["s", "x", { deadlineMs: "5" }], 'deadlineMs is "5"'],
        [agent, "waitForUpdate", [() => true], "the options are undefined"],
        [agent, "onRequest", ["x", 5], "the handler is 5"],
        [agent, "setPermissionPolicy", ["hld"], 'the policy is "hld"; did you mean "hold"'],
        [agent, "close", [{ mode: "stop" }], 'mode is "stop"'],
        [raw, "sendLine", [Symbol("x")], "the line is"],
        [raw, "sendBytes", ["x"], 'the bytes is "x"; give a Uint8Array'],
        [raw, "responseForId", [5n], "the id is"],
        [raw, "expectSilence", [Symbol("x")], "ms of a wait is"],
        [raw, "close", [{ mode: "stop" }], 'mode is "stop"']
      ]
    for (const [target, name, args, message] of wrong)
      await expect(call(target, name, ...args), name).rejects.toEqual(invalid(message))

    expect(await agent.initialize()).toMatchObject({ protocolVersion: 1 })
  })
})
