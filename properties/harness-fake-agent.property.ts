import fc from "fast-check"
import { expect, test } from "vitest"
import { isRecord } from "../src/domain/json.ts"
import { makeFakeAgent } from "../src/harness/fake-agent/fake-agent.ts"
import { readFakeScript } from "../src/harness/fake-agent/read-script.ts"
import { lineContent } from "../src/wire/acp/line-content.ts"
import { memberToken } from "../src/wire/acp/member-token.ts"
import { fakeSurroundings } from "../test/harness/fake-agent/fake-agent-world.ts"
import { cutAt, cuts } from "./arbitraries/acp-lines.ts"
import { type ClientAct, type FakeSession, fakeSessions } from "./arbitraries/fake-sessions.ts"
import { checkProperty } from "./check.ts"

const lineOf = (act: Exclude<ClientAct, { readonly kind: "wait" }>): string =>
  act.kind === "line"
    ? act.text
    : `{"jsonrpc":"2.0","id":${act.id},"method":"${act.method}","params":${JSON.stringify(act.params)}}`

/** Runs a session, and gives what the agent wrote, line by line, and how it ended. */
const run = ({ script, acts }: FakeSession, cut: (bytes: Uint8Array) => ReadonlyArray<Uint8Array>) => {
  const { ports, clock, lines, ends } = fakeSurroundings()
  const agent = makeFakeAgent(readFakeScript(script), ports)
  for (const act of acts) {
    if (act.kind === "wait") clock.advance(act.ms)
    else for (const piece of cut(new TextEncoder().encode(`${lineOf(act)}\n`))) agent.received(piece)
  }
  clock.advance(500)
  agent.inputEnded()
  clock.advance(500)
  return { lines: lines(), ends }
}

// Seen to fail when each piece of input is taken for a line.
test("a fake agent says the same, however its input is cut", () => {
  checkProperty(
    "fake agent input",
    fc.property(fakeSessions, cuts, (session, places) => {
      const whole = run(session, (bytes) => [bytes])

      expect(run(session, (bytes) => cutAt(bytes, places))).toEqual(whole)
      expect(whole.ends).toHaveLength(1)
    }),
    { runs: 300 }
  )
})

/** Scripts that neither leave a request without an answer nor alter responses, and turns that wait for nobody. */
const answering = fakeSessions.map((session): FakeSession => {
  const script: Readonly<Record<string, unknown>> = isRecord(session.script) ? session.script : {}
  const { rules } = readFakeScript(script)
  const kept = rules.filter(({ does }) => does.kind === "delay" || does.kind === "error")
  return { ...session, script: { ...script, rules: kept, turn: [], responses: {} } }
})

// Seen to fail when a cancel forgets a call without an answer, and when a piece that waits for another one is dropped.
test("a fake agent answers every request exactly once, under the id as it was written", () => {
  checkProperty(
    "fake agent answers",
    fc.property(answering, (session) => {
      const { lines } = run(session, (bytes) => [bytes])
      const asked = session.acts.flatMap((act) => (act.kind === "request" ? [act.id] : []))
      // What no request can be told from is refused under the id null.
      const answered = lines
        .filter((line) => lineContent(line).kind === "response")
        .flatMap((line) => memberToken(line, "id") ?? [])
        .filter((token) => token !== "null")

      expect([...answered].sort()).toEqual([...asked].sort())
    }),
    { runs: 300 }
  )
})
