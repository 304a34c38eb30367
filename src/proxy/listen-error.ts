import { PathTooLong, ProxyBindFailed } from "../domain/harness-scope-errors.ts"
import type { StreamAddress, StreamProblem } from "../ports/stream-port.ts"
import { endpointText } from "./endpoint.ts"

/**
 * Why a proxy, or its control socket, does not listen.
 *
 * @since 0.1.0
 * @category errors
 */
export const listenError = (address: StreamAddress, problem: StreamProblem): PathTooLong | ProxyBindFailed =>
  problem.kind === "path too long" && address.kind === "unix"
    ? new PathTooLong(address.path, problem)
    : new ProxyBindFailed(`cannot listen at ${endpointText(address)}: ${problem.reason}`)
