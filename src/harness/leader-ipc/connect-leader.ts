import type { StreamAddress } from "../../ports/stream-port.ts"
import type { ConnectLeaderOptions } from "./connect-options.ts"
import type { LeaderConnection } from "./leader-connection.ts"
import { type LeaderIpcWorld, makeConnection } from "./make-connection.ts"

/**
 * Connects to a leader, registers, and waits until it is ready.
 *
 * **Takes** the path of its socket, or another address
 * **Fails** with `PathTooLong`; with `AgentClosed` when nobody can be connected to in four attempts, the connection ends, or the leader
 * shuts down before it is ready; with `RequestTimeout` after 10 seconds without `registered`, and 120 without `leader_ready`; with
 * `AgentError` when it refuses; with `ProtocolViolation` for what is no message and for another first one; with `FrameTooLarge`; with `Cancelled`
 * **Source** agent-harness.md, section 5.7
 *
 * @since 0.1.0
 * @category constructors
 */
export const connectLeader = (
  world: LeaderIpcWorld,
  address: string | StreamAddress,
  { clientType = "understudy", mode = "stdio", capabilities = {}, signal }: ConnectLeaderOptions = {}
): Promise<LeaderConnection> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => void making.disconnect()
    const making = makeConnection(world, {
      address: typeof address === "string" ? { kind: "unix", path: address } : address,
      register: { type: "register", client_type: clientType, mode, capabilities },
      opened(connection) {
        signal?.removeEventListener("abort", giveUp)
        resolve(connection)
      },
      failed(error) {
        signal?.removeEventListener("abort", giveUp)
        reject(error)
      }
    })
    if (signal?.aborted === true) giveUp()
    else signal?.addEventListener("abort", giveUp, { once: true })
  })
