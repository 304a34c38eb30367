import type { AgentEnd } from "../../ports/agent-surroundings.ts"
import { lineSplitter } from "../../wire/acp/line-splitter.ts"
import { makeFakeAgent } from "../fake-agent/fake-agent.ts"
import type { FakeLeaderPorts } from "./leader-ports.ts"
import type { FakeLeaderScript } from "./leader-script.ts"

/** The agent of a leader: lines in, lines out, without LF. */
export interface LeaderAgent {
  take(line: string): void
}

/**
 * Starts the agent behind a leader. What it writes to stderr is the log of the leader.
 *
 * **Takes** `ended`: the agent is over, and with it the leader
 *
 * @since 0.1.0
 * @category constructors
 */
export const startLeaderAgent = (
  script: FakeLeaderScript,
  options: {
    readonly ports: FakeLeaderPorts
    readonly wrote: (line: string) => void
    readonly ended: (end: AgentEnd) => void
  }
): LeaderAgent => {
  const { ports, wrote, ended } = options
  const splitter = lineSplitter()
  let isOpen = true
  const agent = makeFakeAgent(script.agent, {
    ...ports.agent,
    clock: ports.clock,
    version: script.version,
    write(bytes) {
      if (!isOpen) return
      for (const { text } of splitter.push(bytes).lines) wrote(text)
    },
    complain: (text) => ports.log(text.replace(/\n$/, "")),
    closeOutput() {
      isOpen = false
    },
    end: ended
  })
  return { take: (line) => agent.received(utf8.encode(`${line}\n`)) }
}

const utf8 = new TextEncoder()
