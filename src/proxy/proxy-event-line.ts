import { endpointText } from "./endpoint.ts"
import type { Direction } from "./plan/fault-program.ts"
import type { ProxyEvent } from "./proxy-event.ts"

const arrows: Readonly<Record<Direction, string>> = { clientToLeader: "c2u", leaderToClient: "u2c" }

/**
 * An event of a proxy as a line for people: seconds since its start, the connection, and what happened.
 *
 * @since 0.1.0
 * @category encoding
 */
export const proxyEventLine = (event: ProxyEvent): string =>
  `${(event.at / 1_000).toFixed(3).padStart(9)}  ${telling(event)}`

/** The same without the time. @since 0.1.0 @category encoding */
export const telling = (event: ProxyEvent): string => {
  switch (event.type) {
    case "listening":
      return `listening at ${endpointText(event.address)}`
    case "accepted":
    case "connected":
    case "closed":
      return `#${event.connection} ${event.type}`
    case "refused":
    case "severed":
      return `#${event.connection} ${event.type}: ${shown(event.reason)}`
    case "frame": {
      const { connection, direction, index, frames, bytes, action, rules } = event
      const which = frames === 1 ? `frame ${index}` : `frames ${index} to ${index + frames - 1}`
      const by = rules.length === 0 ? "" : ` by ${rules.map(shown).join(", ")}`
      return `#${connection} ${arrows[direction]} ${which}, ${bytes} bytes: ${action}${by}`
    }
    case "partitioned":
    case "healed":
      return `${event.directions.map((direction) => arrows[direction]).join(" and ")} ${event.type}`
    case "paused":
    case "resumed":
      return `${event.connection === null ? "" : `#${event.connection} `}${arrows[event.direction]} ${event.type}`
    case "vanished":
      return `#${event.connection} vanished`
    case "released":
      return `barrier ${shown(event.barrier)} released`
    case "half-closed":
      return `#${event.connection} ${arrows[event.direction]} ended`
    case "frame error":
      return `#${event.connection} ${arrows[event.direction]} cannot go on: ${shown(event.reason)}`
    case "failed":
      return `nobody is accepted any more: ${shown(event.reason)}`
    case "stopped":
      return "stopped"
  }
}

/** What a person has to know in any case. */
export const isProblem = ({ type }: ProxyEvent): boolean =>
  type === "refused" || type === "frame error" || type === "failed"

/** What a terminal could take for a command does not reach it. */
const shown = (words: string): string => words.replace(/[^ -~…]/g, "?")
