import { expect, it } from "vitest"
import type { AgentProcess } from "../../../src/harness/session/agent-process.ts"
import { makeSession } from "../../../src/harness/session/make-session.ts"
import { makeTrace } from "../../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../../src/kernel/virtual-clock.ts"
import { makeSupervisor } from "../../../src/supervisor/supervisor.ts"
import { caught, echo } from "./echo-agent.ts"
import { acpOf, chunk, startSimSession } from "./sim-session.ts"

const status = { code: 5, signal: null }

/** A process that has written this and ended before anybody reads it. */
const ended = (text: string): AgentProcess => ({
  label: "early",
  pid: undefined,
  status,
  terminationReason: "NaturalExit",
  stdout: { text: () => text },
  stderr: { text: () => "token=abc" },
  read(_, reader) {
    reader.received(new TextEncoder().encode(text), { pause: () => {}, resume: () => {} })
    reader.ended(null)
  },
  write: () => Promise.reject(new Error("EPIPE")),
  endInput: () => {},
  wait: () => Promise.resolve(status),
  startTerminate: () => {},
  startKill: () => {},
  close: () => Promise.resolve(status),
  kill: () => Promise.resolve(status),
  diagnostics: () => ""
})

// Seen to fail when the wire is read before there is a session.
it("what an agent wrote before it is listened to is not lost, nor is its end", async () => {
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const line = JSON.stringify({ jsonrpc: "2.0", ...Object(chunk("early")) })
  const session = makeSession(
    { supervisor, clock, timeoutScale: () => 1, tell: () => {} },
    {
      process: ended(`${line}\nnoise`),
      acp: acpOf(),
      shown: (text) => text.replaceAll("abc", "<redacted>"),
      release: () => Promise.resolve()
    }
  )
  const error = await caught(session.prompt("s1", "x"))

  expect([session.capturedText(), session.pollution().map(({ text }) => text)]).toEqual(["early", ["noise"]])
  expect(error).toMatchObject({ _tag: "AgentClosed", status })
  expect(String(error)).toContain("token=<redacted>")
  expect(await session.close()).toMatchObject({ exitCode: 5, reason: "NaturalExit" })
})

it("no error shows what is secret in what an agent wrote", async () => {
  const { session, until } = startSimSession(
    (message, side) => {
      if (message["method"] === "no") side.say({ id: message["id"], error: { code: 1, message: "key s3cret" } })
      else if (message["method"] === "broken") side.say({ id: message["id"], s3cret: 1 })
      else if (message["method"] === "session/new") side.result(message, { s3cret: 1 })
      else {
        side.say("s3cret noise")
        echo(message, side)
      }
    },
    { shown: (text) => text.replaceAll("s3cret", "<redacted>") }
  )
  const errors = [
    await until(caught(session.request("no", {}))),
    await until(caught(session.request("broken", {}))),
    await until(caught(session.createSession("/w")))
  ]
  await until(session.initialize())

  for (const error of errors) expect(String(error)).toContain("<redacted>")
  for (const error of errors) expect(String(error)).not.toContain("s3cret")
  expect(errors[0]).toMatchObject({ said: "key s3cret" })
  expect(() => session.assertClean()).toThrow("<redacted>")
})
