import type { FakeAgentPorts } from "../../../src/harness/fake-agent/agent-ports.ts"
import { makeFakeAgent } from "../../../src/harness/fake-agent/fake-agent.ts"
import { readFakeScript } from "../../../src/harness/fake-agent/read-script.ts"
import { makeVirtualClock, type VirtualClock } from "../../../src/kernel/virtual-clock.ts"
import type { AgentEnd, AskModel, TextStore } from "../../../src/ports/agent-surroundings.ts"
import { requestLine } from "../../../src/wire/acp/write-line.ts"

/** The surroundings of a fake agent in virtual time, and what it did to them. */
export interface FakeSurroundings {
  readonly ports: FakeAgentPorts
  readonly clock: VirtualClock
  readonly writes: ReadonlyArray<Uint8Array>
  readonly ends: ReadonlyArray<AgentEnd | "output closed">
  stderr(): string
  lines(): ReadonlyArray<string>
  store: TextStore
}

export const fakeSurroundings = (
  options: { readonly askModel?: AskModel; readonly store?: TextStore } = {}
): FakeSurroundings => {
  const clock = makeVirtualClock()
  const writes: Array<Uint8Array> = []
  const ends: Array<AgentEnd | "output closed"> = []
  let stderr = ""
  const store = options.store ?? memoryStore()
  return {
    clock,
    writes,
    ends,
    store,
    stderr: () => stderr,
    lines: () => Buffer.concat(writes).toString("utf8").split("\n").slice(0, -1),
    ports: {
      clock,
      version: "1.2.3",
      store,
      askModel: options.askModel ?? noModel,
      write: (bytes) => void writes.push(bytes),
      complain(text) {
        stderr += text
      },
      closeOutput: () => void ends.push("output closed"),
      end: (end) => void ends.push(end)
    }
  }
}

const noModel: AskModel = (_, sink) => {
  sink.failed("there is no model")
  return () => {}
}

export const memoryStore = (): TextStore => {
  const texts = new Map<string, string>()
  return {
    all: () => [...texts].map(([name, text]) => ({ name, text })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    save: (name, text) => void texts.set(name, text),
    remove: (name) => void texts.delete(name)
  }
}

export type Message = Readonly<Record<string, unknown>>

/** A fake agent that was started, and a client that sends it whole lines. */
export const fakeAgentWorld = (script: unknown = {}, options: Parameters<typeof fakeSurroundings>[0] = {}) => {
  const surroundings = fakeSurroundings(options)
  const agent = makeFakeAgent(readFakeScript(script), surroundings.ports)
  let read = 0
  const send = (line: string): void => agent.received(new TextEncoder().encode(`${line}\n`))
  return {
    ...surroundings,
    agent,
    send,
    request: (id: number | string, method: string, params: unknown = {}) => send(requestLine(id, method, params)),
    /** The lines since the last look. */
    fresh(): ReadonlyArray<string> {
      const lines = surroundings.lines().slice(read)
      read += lines.length
      return lines
    },
    messages(): ReadonlyArray<Message> {
      return this.fresh().map((line): Message => JSON.parse(line))
    },
    /** A session, with nothing left unread. */
    session(): string {
      this.request("new", "session/new", { cwd: "/w", mcpServers: [] })
      const id = this.messages()
        .map(({ result }) => result)
        .map((result) =>
          typeof result === "object" && result !== null && "sessionId" in result ? result.sessionId : ""
        )
        .at(-1)
      return String(id)
    },
    prompt(id: number | string, sessionId: string, text: string) {
      this.request(id, "session/prompt", { sessionId, prompt: [{ type: "text", text }] })
    }
  }
}

/** The text of all chunks in some messages. */
export const chunkTexts = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  textsOf(messages.map((message) => JSON.stringify(message)))

/** The texts of the chunks in some lines of an agent, of users and of the agent. */
export const textsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => {
    const text = /_message_chunk","content":\{"type":"text","text":("(?:[^"\\]|\\.)*")/.exec(line)
    return text?.[1] === undefined ? [] : [String(JSON.parse(text[1]))]
  })
