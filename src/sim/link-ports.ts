/** A port that is or was in use. */
export interface SimPort {
  readonly number: number
  /** Who serves it, as traces name them. */
  readonly actor: string
  /** What listens there now, on whichever network. */
  holder: object | null
}

/**
 * The ports of one host, which all of its networks share: an address has one server, whatever goes over its connections.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface PortSpace {
  /** The port of this number, or the next that nobody had for 0. */
  port(wanted: number): SimPort
  isHeld(number: number): boolean
}

/** Ports that are chosen begin here. */
const firstPort = 8_001

/** @since 0.1.0 @category constructors */
export const makePortSpace = (): PortSpace => {
  const ports = new Map<number, SimPort>()
  let next = firstPort

  const choose = (): number => {
    while (ports.has(next)) next++
    return next++
  }

  return {
    port(wanted) {
      const number = wanted === 0 ? choose() : wanted
      const known = ports.get(number)
      if (known !== undefined) return known
      const port: SimPort = { number, actor: ports.size === 0 ? "srv" : `srv${ports.size + 1}`, holder: null }
      ports.set(number, port)
      return port
    },
    isHeld: (number) => (ports.get(number)?.holder ?? null) !== null
  }
}
