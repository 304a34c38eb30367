import { fakeLeaderMachine } from "../../../machines/fake-leader.machine.ts"
import { leaderEntryMs, relaunchGraceMs } from "../../domain/fake-leader-limits.ts"
import { acceptsConnection, type StreamAddress } from "../../ports/stream-port.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { actorKind } from "../../supervisor/supervisor.ts"
import { broadcast, type LeaderActor, type LeaderCore, note, tellLeader } from "./leader-core.ts"
import { announce, leaderDesk, tellAllClosed, tellIdle } from "./leader-desk.ts"
import { servePeer } from "./leader-peer.ts"

/** The chart of a leader and what performs its actions. @since 0.1.0 @category leaders */
export const leaderKind = actorKind<typeof fakeLeaderMachine, LeaderCore>(compileChart(fakeLeaderMachine), {
  takeLock(_, leader) {
    const { ports } = leader.data
    try {
      tellLeader(leader, { type: ports.lock.take() ? "lock.taken" : "lock.held" })
    } catch (error) {
      ports.log(`the lock ${ports.lockPath} cannot be taken: ${reasonOf(error)}`)
      tellLeader(leader, { type: "lock.failed" })
    }
  },
  probe(_, leader) {
    acceptsConnection(leader.data.ports.streams, addressOf(leader), (isServing) =>
      tellLeader(leader, { type: isServing ? "peer.serving" : "peer.silent" })
    )
  },
  writeLock(_, { data }) {
    try {
      data.ports.lock.write()
    } catch (error) {
      data.ports.log(`the lock ${data.ports.lockPath} cannot be written: ${reasonOf(error)}`)
    }
  },
  listen: (_, leader) => listen(leader),
  tellStarted(_, { data }) {
    const { ports, script } = data
    ports.log(`leader ${script.version} with pid ${ports.pid} serves ${ports.socketPath}`)
    note(data, "leader_started", { version: script.version, socket: ports.socketPath })
  },
  tellReady(_, { data }) {
    data.isReady = true
    data.router.ready()
    broadcast(data, { type: "leader_ready" })
    note(data, "leader_ready")
  },
  tellRedundant: (_, { data }) => data.ports.log(`another leader serves ${data.ports.socketPath}`),
  tellEntryFailed: (_, { data }) =>
    data.ports.log(`another process holds ${data.ports.lockPath}, and nobody served in ${leaderEntryMs} ms`),
  tellRelaunching(_, leader) {
    note(leader.data, "leader_relaunching")
    announce(leader, { reason: "auto_update", delayMs: relaunchGraceMs })
    tellIdle(leader)
  },
  closeAll: (_, leader) => closeAll(leader),
  giveLockBack(_, { data }) {
    try {
      data.ports.lock.giveBack()
    } catch (error) {
      data.ports.log(`the lock ${data.ports.lockPath} cannot be removed: ${reasonOf(error)}`)
    }
  },
  endProcess({ code }, { data }) {
    note(data, "leader_ended", { code })
    data.ports.end({ kind: "exit", code })
  }
})

const addressOf = ({ data }: LeaderActor): StreamAddress => ({ kind: "unix", path: data.ports.socketPath })

const listen = (leader: LeaderActor): void => {
  const { data } = leader
  const { ports, supervisor, connected } = data
  const desk = leaderDesk(leader)
  data.listener = ports.streams.listen(addressOf(leader), {
    bound: () => tellLeader(leader, { type: "bound" }),
    failed({ reason }) {
      data.listener = null
      ports.log(`the socket ${ports.socketPath} cannot be served: ${reason}`)
      tellLeader(leader, { type: "bind.failed" })
    },
    accepted(socket) {
      const id = ++data.connections
      const { peer, report } = servePeer(socket, { id, supervisor, desk })
      connected.set(id, peer)
      if (data.isClosing) peer.close()
      return report
    },
    lost({ reason }) {
      ports.log(`the socket ${ports.socketPath} is lost: ${reason}`)
      tellLeader(leader, { type: "listener.lost" })
    }
  })
}

const closeAll = (leader: LeaderActor): void => {
  const { data } = leader
  announce(leader, { reason: "manual", delayMs: 0 })
  broadcast(data, { type: "shutdown" })
  data.isClosing = true
  for (const peer of data.connected.values()) peer.close()
  const { listener } = data
  listener?.close(() => {
    data.listener = null
    tellAllClosed(leader)
  })
  if (listener === null) tellAllClosed(leader)
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
