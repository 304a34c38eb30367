import { chmodSync } from "node:fs"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  failureDetails,
  type Harness,
  type HarnessError,
  isHarnessError,
  loadProfile,
  readProfile,
  startHarness
} from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"
import { type LeftBehind, watchLeftovers } from "./left-behind.ts"

/*
 * What goes wrong with real agents, by the public entry: a typed error that shows the last lines of both streams, and nothing is left. Seen to fail
 * when output is read as fast as it comes: then no deadline of an agent that writes without end is kept.
 */

const { cli, folder } = fakeAgentProcesses()

/** An agent that is a script of the shell, in all three modes. */
const scriptAgent = (name: string, script: string) => {
  const path = folder.write(name, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  const profile = readProfile({
    id: "broken",
    displayName: "broken",
    binary: { env: ["BROKEN_AGENT"] },
    acp: { args: [], auth: "none", exitsOnStdinEof: { exits: true, withinMs: 1000 } },
    headless: { args: ["{prompt}"] },
    sandbox: { stateDir: ".broken" }
  })
  return { profile, variables: { BROKEN_AGENT: path } }
}

/** Opens a harness, and sees that nothing is left of it. */
const opened = async (variables: Readonly<Record<string, string>>, body: (harness: Harness) => Promise<void>) => {
  const left = watchLeftovers()
  const before: LeftBehind = await left(null)
  const harness = await startHarness({ variables: { FIXTURE_AGENT_BINARY: cli, ...variables }, timing: false })
  onTestFinished(() => harness.close().catch(() => {}))
  await body(harness)
  await harness.close()
  const { openFiles: _before, ...wanted } = before
  const { openFiles: _after, ...found } = await left(harness)
  expect(found).toEqual(wanted)
}

/** The error that a promise fails with. */
const failure = async (work: Promise<unknown>): Promise<HarnessError> => {
  const error = await work.then(
    () => new Error("nothing failed"),
    (thrown: unknown) => thrown
  )
  if (isHarnessError(error)) return error
  throw error
}

/** What every error about a process shows. */
const showsBoth = (error: HarnessError, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
  expect(error.message).toContain(stdout)
  expect(error.message).toContain(stderr)
}

describe("an agent", () => {
  test("that is not there is named with where it was looked for", () =>
    opened({ BROKEN_AGENT: "/nowhere/agent" }, async (harness) => {
      const { profile } = scriptAgent("unused", "")
      const started = [
        () => harness.startAgent({ profile }),
        () => harness.startRawClient({ profile }),
        () => harness.runPrompt({ profile, prompt: "x" })
      ]
      for (const start of started) {
        const error = await failure(start())
        expect([error._tag, error.message]).toEqual(["BinaryNotFound", "BROKEN_AGENT does not exist: /nowhere/agent"])
      }
    }))

  test("that speaks another version is refused, unless that is allowed", () =>
    opened({}, async (harness) => {
      const fixture = await loadProfile("fixture")
      const profile = { ...fixture, acp: fixture.acp === null ? null : { ...fixture.acp, auth: "none" as const } }
      const leadingArgs = ["--protocol-version=2", "--offer-auth=fixture", "--stderr=I am from the future"]
      const agent = await harness.startAgent({ profile, leadingArgs })
      const error = await failure(agent.initialize())
      const other = await harness.startAgent({ profile, leadingArgs })

      expect(error._tag).toBe("ProtocolViolation")
      showsBoth(error, { stdout: '"protocolVersion":2', stderr: "I am from the future" })
      expect(await other.initialize({ allowOtherVersion: true })).toMatchObject({ protocolVersion: 2 })
    }))

  const crash = "echo 'loading plugins'; echo 'no such plugin' >&2; exit 3"

  test("that crashes when it starts is told of with its end, in each mode", () => {
    const { profile, variables } = scriptAgent("crashes", crash)
    return opened(variables, async (harness) => {
      const agent = await harness.startAgent({ profile })
      const ofSession = await failure(agent.initialize())
      const raw = await harness.startRawClient({ profile })
      const ofRaw = await failure(raw.responseForId("1"))
      const run = await harness.runPrompt({ profile, prompt: "x" })

      expect(ofSession).toMatchObject({ _tag: "AgentClosed", status: { code: 3, signal: null } })
      expect(ofRaw._tag).toBe("AgentClosed")
      for (const error of [ofSession, ofRaw])
        expect(failureDetails(error)?.transitions.map(({ chart }) => chart)).toContain("owned-process")
      for (const error of [ofSession, ofRaw]) showsBoth(error, { stdout: "loading plugins", stderr: "no such plugin" })
      expect(run).toMatchObject({ exitCode: 3, stdout: "loading plugins\n", stderr: "no such plugin\n" })
      expect(run.diagnostics).toContain("no such plugin")
    })
  })

  const garbage = "echo 'Welcome to Agent 3000'; echo 'starting up' >&2; while read -r line; do :; done"

  test("that writes garbage is waited for within its time, and not at all by a strict session", () => {
    const { profile, variables } = scriptAgent("garbage", garbage)
    return opened(variables, async (harness) => {
      const patient = await harness.startAgent({ profile })
      const late = await failure(patient.initialize({ deadlineMs: 700 }))
      const strict = await harness.startAgent({ profile, strict: true })
      const broken = await failure(strict.initialize())
      const raw = await harness.startRawClient({ profile })
      const silent = await failure(raw.responseForId("1", { ms: 700 }))

      expect([late._tag, broken._tag, silent._tag]).toEqual(["RequestTimeout", "ProtocolViolation", "RequestTimeout"])
      showsBoth(late, { stdout: "Welcome to Agent 3000", stderr: "starting up" })
      showsBoth(silent, { stdout: "Welcome to Agent 3000", stderr: "starting up" })
      expect(broken.message).toContain("Welcome to Agent 3000")
      expect(patient.pollution()).toMatchObject([{ text: "Welcome to Agent 3000" }])
    })
  })

  test("that writes without end is given up within its time", () => {
    const { profile, variables } = scriptAgent("endless", "echo 'here it comes' >&2; exec yes")
    return opened(variables, async (harness) => {
      const agent = await harness.startAgent({ profile })
      const late = await failure(agent.initialize({ deadlineMs: 700 }))
      const run = await harness.runPrompt({ profile, prompt: "x", capMs: 700 })

      expect(late._tag).toBe("RequestTimeout")
      showsBoth(late, { stdout: "y\n", stderr: "here it comes" })
      expect(run).toMatchObject({ timedOut: true, signal: "SIGKILL", stderr: "here it comes\n" })
      expect(run.stdout.startsWith("y\n")).toBe(true)
    })
  })

  test("that writes one line without end is ended when it is too long", () => {
    // The third file keeps its input open: what is sent to it is lost, and that is no error.
    const script = "echo 'here it comes' >&2; exec 3<&0; exec tr '\\0' x < /dev/zero"
    const { profile, variables } = scriptAgent("long-line", script)
    return opened(variables, async (harness) => {
      const agent = await harness.startAgent({ profile })
      const error = await failure(agent.initialize({ deadlineMs: null }))

      expect(error).toMatchObject({ _tag: "FrameTooLarge", limit: 67_108_864 })
      expect(error.message).toContain("here it comes")
    })
  })

  test.each(["group", "detached", "holds-stdout"])("with a grandchild (%s) ends with it, in each mode", (kind) =>
    opened({}, async (harness) => {
      const leadingArgs = [`--grandchild=${kind}`]
      const agent = await harness.startAgent({ profile: "fixture", leadingArgs })
      await agent.initialize()
      const end = await agent.close({ mode: "eof" })
      const { profile, variables } = scriptAgent(
        `parent-${kind}`,
        `exec node ${cli} fake-agent --grandchild=${kind} -p "$1"`
      )
      await harness.close()
      const again = await startHarness({ variables, timing: false })
      const run = await again.runPrompt({ profile, prompt: "x" })
      await again.close()

      expect(end).toMatchObject({ exitCode: 0, reason: "NaturalExit" })
      expect(run).toMatchObject({ exitCode: 0, stdout: "Echo: x\n" })
    })
  )
})
