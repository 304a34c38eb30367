import { describe, expect, test } from "vitest"
import type { RecordingMismatch } from "../../../src/domain/recording-errors.ts"
import { makeFakeAgent } from "../../../src/harness/fake-agent/fake-agent.ts"
import { readFakeScript } from "../../../src/harness/fake-agent/read-script.ts"
import { recordAgent } from "../../../src/harness/recording/recorded-agent.ts"
import { makeRecorder } from "../../../src/harness/recording/recorder.ts"
import { readRecording, recordingHead } from "../../../src/harness/recording/recording.ts"
import { redactedWireLine } from "../../../src/harness/recording/redacted-line.ts"
import { makeReplayedAgent } from "../../../src/harness/recording/replayed-agent.ts"
import { fakeSurroundings } from "../fake-agent/fake-agent-world.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The recording of a session of a fake agent with a client that says these lines, one every 10 ms. */
const recorded = (script: unknown, lines: ReadonlyArray<string>): string => {
  const { ports, clock } = fakeSurroundings()
  const text: Array<string> = []
  const recorder = makeRecorder({ clock, append: (line) => void text.push(`${line}\n`), redact: redactedWireLine({}) })
  const agent = recordAgent(recorder, { ports, make: (inner) => makeFakeAgent(readFakeScript(script), inner) })
  for (const line of lines) {
    agent.received(bytes(`${line}\n`))
    clock.advance(10)
  }
  agent.inputEnded()
  return text.join("")
}

const replayed = (text: string) => {
  const surroundings = fakeSurroundings()
  const refusals: Array<RecordingMismatch> = []
  const agent = makeReplayedAgent(readRecording(text), surroundings.ports, {
    refused: (one) => void refusals.push(one)
  })
  return { ...surroundings, agent, refusals, say: (line: string) => agent.received(bytes(`${line}\n`)) }
}

const newSession = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w"}}'
const list = '{"jsonrpc":"2.0","id":2,"method":"session/list"}'

describe("a recording", () => {
  test("has a line for each line, with who wrote it and when, and how the agent ended", () => {
    const lines = recorded({ rules: [{ method: "session/list", does: { kind: "delay", ms: 5 } }] }, [list]).split("\n")

    expect(lines).toEqual([
      recordingHead,
      JSON.stringify({ type: "line", from: "client", ms: 0, text: list }),
      JSON.stringify({ type: "line", from: "agent", ms: 5, text: '{"jsonrpc":"2.0","id":2,"result":{"sessions":[]}}' }),
      JSON.stringify({ type: "input ended", ms: 10 }),
      JSON.stringify({ type: "end", ms: 10, end: { kind: "exit", code: 0 } }),
      ""
    ])
  })

  test.each([
    ["", /line 1 of the recording is ""; a recording begins with/],
    ['{"type":"trace"}\n', /line 1 of the recording is/],
    [`${recordingHead}\n{"type":"line","from":"client","ms":1}\n`, /line 2 .* which is nothing that is recorded/],
    [`${recordingHead}\nnonsense\n`, /line 2 of the recording is "nonsense"/]
  ])("that reads %j is refused", (text, message) => {
    expect(() => readRecording(text)).toThrow(message)
  })
})

describe("what is kept of a line", () => {
  const redact = redactedWireLine({ API_KEY: "sk-live-1", MOCK_URL: "http://127.0.0.1:1/v1", PATH: "/bin" })

  test("is all of it where there is no secret, as it was written", () => {
    for (const line of [
      '{ "id": 1e2, "method":"session\\/new" }',
      '{"id":1,"result":{"sessionId":"s","maxTokens":3}}'
    ]) {
      expect(redact(line)).toBe(line)
    }
  })

  test("has no hidden value, no member named like a secret, and no such pair", () => {
    const env = [
      { name: "SOME_TOKEN", value: "t" },
      { name: "LANG", value: "C" }
    ]
    const line = `{"id":1e2,"params":{"apiKey":"abc","text":"key sk-live-1","env":${JSON.stringify(env)}}}`

    expect(redact(line)).toBe(
      '{"id":1e2,"params":{"apiKey":"<redacted>","text":"key <redacted>",' +
        '"env":[{"name":"SOME_TOKEN","value":"<redacted>"},{"name":"LANG","value":"C"}]}}'
    )
  })

  test("has nothing of them where the line is no message", () => {
    expect(redact("using sk-live-1")).toBe("using <redacted>")
    expect(redact("Authorization: Bearer x")).toBe("<redacted sensitive output line>")
    expect(redact('["sk-live-1"]')).toBe('["<redacted>"]')
  })
})

describe("a replayed agent", () => {
  test("answers under the ids of the client at hand, when as many lines have arrived", () => {
    const agent = replayed(recorded({}, [newSession, list]))

    agent.say(newSession.replace('"id":1', '"id":"first"'))
    const first = agent.lines()
    agent.say(list.replace('"id":2', '"id":1e2'))

    expect(first).toEqual([expect.stringContaining('"id":"first","result":{"sessionId":"session-1"')])
    expect(agent.lines()[1]).toMatch(/^\{"jsonrpc":"2.0","id":1e2,"result":\{"sessions":\[/)
  })

  test("refuses another method than was recorded, and is over", () => {
    const agent = replayed(recorded({}, [newSession, list]))

    agent.say(list.replace('"id":2', '"id":7'))
    agent.say(newSession)

    expect(agent.refusals).toMatchObject([
      { _tag: "RecordingMismatch", place: 1, recorded: "request session/new", received: "request session/list" }
    ])
    expect(agent.stderr()).toMatch(/^line 1 of the client is a request session\/list, but the recording has a request/)
    expect(agent.lines().map((line) => JSON.parse(line))).toMatchObject([{ id: 7, error: { code: -32600 } }])
    expect(agent.ends).toEqual([{ kind: "exit", code: 1 }])
  })

  test("refuses what comes after everything that was recorded", () => {
    const text = recorded({ rules: [{ method: "session/list", does: { kind: "silent" } }] }, [list])
    const agent = replayed(text)

    agent.say(list)
    agent.say('{"jsonrpc":"2.0","method":"session/cancel"}')

    expect(agent.refusals).toMatchObject([{ place: 2, recorded: null, received: "notification session/cancel" }])
    expect(agent.lines()).toEqual([])
  })

  test("ends as it ended, by itself or with its input", () => {
    const crashed = replayed(
      recorded({ rules: [{ method: "session/list", does: { kind: "crash", signal: "SIGABRT" } }] }, [list])
    )
    const left = replayed(recorded({}, [list]))

    crashed.say(list)
    left.say(list)
    const before = [...left.ends]
    left.agent.inputEnded()

    expect(crashed.ends).toEqual([{ kind: "crash", signal: "SIGABRT" }])
    expect(before).toEqual([])
    expect(left.ends).toEqual([{ kind: "exit", code: 0 }])
  })

  test("ends with 0 for a client that leaves earlier than was recorded", () => {
    const agent = replayed(recorded({}, [newSession, list]))
    agent.agent.inputEnded()
    expect(agent.ends).toEqual([{ kind: "exit", code: 0 }])
  })
})
