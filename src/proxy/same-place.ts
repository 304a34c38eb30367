import { isLoopback, type UpstreamAddress } from "../ports/stream-port.ts"

/**
 * Whether who connects to one address comes to the other: a proxy that is its own upstream connects to itself without end. Port 0 is
 * any free one, and no place yet. Of a path the text alone is known: a relative one is not compared with an absolute one.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSamePlace = (one: UpstreamAddress, other: UpstreamAddress): boolean => {
  if (one.kind === "unix" || other.kind === "unix")
    return one.kind === "unix" && other.kind === "unix" && plainPath(one.path) === plainPath(other.path)
  return one.port !== 0 && one.port === other.port && isSameHost(one.host, other.host)
}

/** A path without the steps that lead nowhere. */
const plainPath = (path: string): string => {
  const steps: Array<string> = []
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop()
    else steps.push(step)
  }
  return `${path.startsWith("/") ? "/" : ""}${steps.join("/")}`
}

/** The name may be either of the two addresses that it usually has. */
const isSameHost = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() ||
  (isLoopback(one) && isLoopback(other) && [one, other].some((host) => /^localhost$/i.test(host)))
