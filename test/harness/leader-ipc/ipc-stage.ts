import { type AgentStage, makeAgentStage } from "../../../properties/observation/agent-stage.ts"
import { connectLeader } from "../../../src/harness/leader-ipc/connect-leader.ts"
import type { FakeLeaderBehaviour } from "../../../src/harness/leader-ipc/fake-leaders.ts"
import type { LeaderConnection } from "../../../src/harness/leader-ipc/leader-connection.ts"
import type { RunningFakeLeader } from "../../../src/harness/leader-ipc/running-fake-leader.ts"
import { startFakeLeader } from "../../../src/harness/leader-ipc/start-fake-leader.ts"

/** Where the fake leaders of these tests listen. */
export const path = "/sandboxes/leader.sock"

export interface IpcStage extends AgentStage {
  readonly leader: RunningFakeLeader
  /** Connects, and gives what came of it. */
  connect(): ReturnType<AgentStage["settled"]>
  connected(): Promise<LeaderConnection>
  /** What is left of the connection, once nothing more happens. */
  leftovers(): Promise<{ readonly connections: number; readonly timers: number }>
}

/** A simulated world with a fake leader. */
export const stageOf = async (behaviour: FakeLeaderBehaviour): Promise<IpcStage> => {
  const stage = makeAgentStage({ steps: [] })
  const starting = startFakeLeader(stage.world, path, behaviour)
  await stage.settled(starting)
  const connecting = () => connectLeader(stage.world, path)
  return {
    ...stage,
    leader: await starting,
    connect: () => stage.settled(connecting()),
    async connected() {
      const connection = connecting()
      await stage.settled(connection)
      return connection
    },
    async leftovers() {
      for (let steps = 0; steps < 50 && stage.clock.nextDue() <= stage.clock.now() + 1_000; steps++) {
        stage.clock.step()
        await stage.turns()
      }
      return { connections: stage.streams.port.open().connections, timers: stage.clock.armed() }
    }
  }
}

/** What is left when all is well. */
export const nothing = { connections: 0, timers: 0 }
