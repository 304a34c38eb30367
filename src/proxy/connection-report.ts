import type { ProxyConnection } from "./connection-kind.ts"
import type { ConnectionReport, ConnectionState, DirectionReport } from "./fault-proxy.ts"
import { noPumpCounts, type ProxyPump } from "./pump-data.ts"
import { bufferedBytes } from "./pump-kind.ts"

const stateOf = ({ snapshot, data }: ProxyConnection): ConnectionState => {
  if (snapshot.state === "connecting" || snapshot.state === "piping") return snapshot.state
  return data.wasCut ? "severed" : "closed"
}

const directionOf = (pump: ProxyPump | undefined): DirectionReport => {
  if (pump === undefined) return { ...noPumpCounts(), buffered: 0, error: null }
  return { ...pump.data.counts, buffered: bufferedBytes(pump), error: pump.data.problem?.message ?? null }
}

/** What is told of a connection. @since 0.1.0 @category models */
export const connectionReport = (connection: ProxyConnection): ConnectionReport => ({
  id: connection.data.id,
  state: stateOf(connection),
  clientToLeader: directionOf(connection.data.pumps?.clientToLeader),
  leaderToClient: directionOf(connection.data.pumps?.leaderToClient)
})
