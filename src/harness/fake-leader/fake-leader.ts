import type { AgentEnd } from "../../ports/agent-surroundings.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import { makeAcpRouter } from "./acp-router.ts"
import { startLeaderAgent } from "./leader-agent.ts"
import { type LeaderActor, note, tellLeader } from "./leader-core.ts"
import { tellIdle } from "./leader-desk.ts"
import { leaderKind } from "./leader-kind.ts"
import type { FakeLeaderPorts } from "./leader-ports.ts"
import type { FakeLeaderScript } from "./leader-script.ts"

/**
 * A fake leader while it runs.
 *
 * @since 0.1.0
 * @category services
 */
export interface RunningFakeLeader {
  /** Asks it to end, as SIGTERM does. */
  terminate(): void
}

/**
 * Starts a leader, which ends its process when it is over: one agent that several clients share through a socket.
 *
 * **Source** agent-harness.md, section 5.1 and appendix A
 *
 * @since 0.1.0
 * @category constructors
 */
export const startFakeLeader = (
  script: FakeLeaderScript,
  { supervisor, ports }: { readonly supervisor: Supervisor; readonly ports: FakeLeaderPorts }
): RunningFakeLeader => {
  const registered: LeaderActor["data"]["registered"] = new Map()
  const router = makeAcpRouter({
    toClient: (client, payload) => registered.get(client)?.send({ type: "acp", payload }),
    toAgent: (line) => agent.take(line),
    dropped: (reason) => note({ ports }, "line_dropped", { reason })
  })
  const leader: LeaderActor = supervisor.spawn(
    leaderKind,
    { listens: script.listens, readyAfterMs: script.readyAfterMs },
    {
      script,
      ports,
      supervisor,
      router,
      registered,
      connected: new Map(),
      connections: 0,
      listener: null,
      isReady: false,
      isAnnounced: false,
      isClosing: false
    }
  )
  const ended = (end: AgentEnd): void =>
    end.kind === "exit" ? tellLeader(leader, { type: "end", code: end.code }) : ports.end(end)
  const agent = startLeaderAgent(script, {
    ports,
    ended,
    wrote(line) {
      router.fromAgent(line)
      tellIdle(leader)
    }
  })
  const { exitAfter } = script
  if (exitAfter !== null)
    ports.clock.arm(exitAfter.ms, "fake leader/exit", () => ended({ kind: "exit", code: exitAfter.code }))
  return { terminate: () => tellLeader(leader, { type: "terminate" }) }
}
