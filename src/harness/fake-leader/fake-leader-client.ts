import { reconnectDelayMs } from "../../domain/fake-leader-limits.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import { lineSplitter } from "../../wire/acp/line-splitter.ts"
import type { RunningFakeAgent } from "../fake-agent/agent-ports.ts"
import { type ClientActor, tellClient } from "./client-core.ts"
import { clientKind } from "./client-kind.ts"
import { makeClientMemory } from "./client-memory.ts"
import type { FakeLeaderClientPorts } from "./client-ports.ts"
import { makeLineQueue } from "./line-queue.ts"

/**
 * Starts a client of a fake leader: to whoever speaks with it, it is an agent, and the agent is that of the leader.
 *
 * **Takes** `reconnectDelayMs`: what is waited before the first try to find a leader again; it doubles with each. Default 1000
 * **Gives** who hears of the input
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const startFakeLeaderClient = (
  options: { readonly reconnectDelayMs?: number; readonly evictsUnreachable?: boolean },
  { supervisor, ports }: { readonly supervisor: Supervisor; readonly ports: FakeLeaderClientPorts }
): RunningFakeAgent => {
  const client: ClientActor = supervisor.spawn(
    clientKind,
    {
      reconnectDelayMs: options.reconnectDelayMs ?? reconnectDelayMs,
      evictsUnreachable: options.evictsUnreachable ?? true
    },
    {
      ports,
      supervisor,
      memory: makeClientMemory(),
      queue: makeLineQueue(() => ports.clock.now()),
      link: null,
      holderAtDial: null,
      holderSought: null,
      replays: [],
      asked: null,
      restored: null,
      failure: "nobody serves it"
    }
  )
  const splitter = lineSplitter()
  return {
    received(bytes) {
      const { lines, overflow } = splitter.push(bytes)
      for (const { text } of lines) if (text.trim() !== "") tellClient(client, { type: "line", text })
      if (overflow === null) return
      ports.log(`a line of ${overflow} bytes is longer than is read`)
      tellClient(client, { type: "input.ended" })
    },
    inputEnded() {
      const last = splitter.end()
      if (last !== null && last.text.trim() !== "") tellClient(client, { type: "line", text: last.text })
      tellClient(client, { type: "input.ended" })
    }
  }
}
