import { notificationLine } from "../../wire/acp/write-line.ts"
import { answerControl } from "./control-answers.ts"
import { broadcast, type LeaderActor, note, tellLeader } from "./leader-core.ts"
import type { LeaderPeer, PeerDesk } from "./leader-peer.ts"
import { toldCapabilities } from "./leader-script.ts"

/** What a leader does about its clients. Source: agent-harness.md, section 5.1. */
export const leaderDesk = (leader: LeaderActor): PeerDesk => {
  const { data } = leader
  const { script, ports, router, connected, registered } = data
  return {
    admit(peer, { clientType, mode, version }) {
      registered.set(peer.id, peer)
      router.joined(peer.id)
      note(data, "client_registered", { client_id: peer.id, client_type: clientType, mode, client_version: version })
      peer.send({
        type: "registered",
        client_id: peer.id,
        ready: data.isReady,
        leader_protocol_version: script.protocolVersion,
        leader_binary_version: script.version,
        leader_capabilities: toldCapabilities(script.capabilities)
      })
      if (version !== null && version !== script.version) tellMismatch(leader, peer, version)
    },
    dismiss(peer) {
      registered.delete(peer.id)
      router.left(peer.id)
      note(data, "client_left", { client_id: peer.id })
      tellIdle(leader)
    },
    route: (peer, payload) => router.fromClient(peer.id, payload),
    control(peer, { requestId, command }) {
      const { result, relaunches } = answerControl(data, command)
      peer.send({ type: "control_result", request_id: requestId, result })
      if (relaunches) tellLeader(leader, { type: "relaunch" })
    },
    closed(peer) {
      connected.delete(peer.id)
      tellAllClosed(leader)
    },
    log: ports.log
  }
}

const tellMismatch = ({ data }: LeaderActor, peer: LeaderPeer, clientVersion: string): void => {
  const leaderVersion = data.script.version
  const message = `Version mismatch: client ${clientVersion}, leader ${leaderVersion}`
  data.ports.log(message)
  note(data, "version_mismatch", { client_id: peer.id, client_version: clientVersion })
  const params = { clientVersion, leaderVersion, message }
  peer.send({ type: "acp", payload: notificationLine("x.ai/leader/version_mismatch", params) })
}

/** Somebody may wait for the moment when no request is under way. */
export const tellIdle = (leader: LeaderActor): void => {
  if (leader.data.isAnnounced && leader.data.router.underWay() === 0) tellLeader(leader, { type: "idle" })
}

/** Somebody may wait for the moment when nobody is connected and nobody can connect. */
export const tellAllClosed = (leader: LeaderActor): void => {
  const { isClosing, listener, connected } = leader.data
  if (isClosing && listener === null && connected.size === 0) tellLeader(leader, { type: "all.closed" })
}

/** Tells clients that the leader is about to go, once. */
export const announce = (
  { data }: LeaderActor,
  { reason, delayMs }: { readonly reason: "auto_update" | "manual"; readonly delayMs: number }
): void => {
  if (!data.isAnnounced) broadcast(data, { type: "shutting_down", reason, delay_ms: delayMs })
  data.isAnnounced = true
}
