import { startVirtualServer } from "../../src/sim.ts"

/** A server in virtual time, and chat clients on connections of their own. */
export const startAskingWorld = (options: Parameters<typeof startVirtualServer>[0] = {}) => {
  const world = startVirtualServer(options)
  const ask = (body: unknown = {}, { windowBytes = Number.POSITIVE_INFINITY } = {}) => {
    const connection = world.http.connect({ windowBytes })
    const answer = connection.request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"]],
      body: JSON.stringify(body)
    })
    return { connection, answer }
  }
  /** The same, and all that follows from it at once. */
  const askNow: typeof ask = (body, options) => {
    const asked = ask(body, options)
    world.clock.settle()
    return asked
  }
  /** Closes the server, cutting what is left. */
  const close = async (): Promise<void> => {
    const closing = world.server.close({ drainMs: 0 })
    world.clock.advance(1_000)
    await closing
  }
  return { ...world, ask, askNow, close }
}

/** What no `catch` took while `act` ran, and shortly after. */
export const unhandledWhile = async (act: () => Promise<void>): Promise<ReadonlyArray<unknown>> => {
  const unhandled: Array<unknown> = []
  const note = (error: unknown): void => {
    unhandled.push(error)
  }
  process.on("unhandledRejection", note)
  try {
    await act()
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  } finally {
    process.off("unhandledRejection", note)
  }
  return unhandled
}

/** A value that no type has checked, as plain JavaScript gives it. */
export const untyped = (json: string) => JSON.parse(json)
