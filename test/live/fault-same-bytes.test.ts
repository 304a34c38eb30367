import { expect, it } from "vitest"
import { faultNames } from "../../src/domain/fault-names.ts"
import type { FaultEvent, FaultServerOptions, ResetMode } from "../../src/faults.ts"
import { mulberry32 } from "../../src/kernel/mulberry32.ts"
import type { VirtualConnection, VirtualResponse } from "../../src/sim.ts"
import { wireOf } from "../faults/wire/on-the-wire.ts"
import { openWire, type WireClient } from "../faults/wire/wire-client.ts"
import { toldFaults, virtualFaults } from "../support/fault-world.ts"
import { rawPost } from "../support/live-world.ts"
import { seed } from "../support/seed.ts"

const paths = ["/v1/chat/completions", "/v1/responses", "/v1/messages"]

/** One request of a run: on which connection, and whether its client leaves before time passes. */
interface Ask {
  readonly path: string
  readonly body: string
  readonly connection: number
  readonly leaves: boolean
}

/** What came on each connection, how those ended that their client did not, and what was told, without its times. */
interface Told {
  readonly bytes: ReadonlyArray<string>
  readonly ends: ReadonlyArray<string>
  readonly events: ReadonlyArray<string>
}

const count = 400

/** Every fault is drawn, in every format, as stream and as reply. */
const optionsOf = (resetMode: ResetMode): Omit<FaultServerOptions, "clock"> => ({
  resetMode,
  sequence: ["random"],
  repeatLast: true,
  randomSeed: seed,
  randomWeights: Object.fromEntries(faultNames.map((name) => [name, 1])),
  chunkShape: "complete",
  telemetry: "full",
  successText: "Grüße, 🌊 回復",
  requestId: "request-1",
  heartbeatMs: 600_000
})

/** More than any fault takes. */
const passMs = 7_200_000

const lines = (events: ReadonlyArray<FaultEvent>): ReadonlyArray<string> =>
  events.map((event) =>
    JSON.stringify(event, (name, value) => (/^(?:t|durationMs|heldMs|baseURL)$/.test(name) ? undefined : value))
  )

const withoutDate = (bytes: Buffer): string => bytes.toString("latin1").replace(/\r\ndate: [^\r]+/g, "")

/** Virtually. A connection is used for as long as it can be. */
const runVirtual = async (mode: ResetMode): Promise<Told & { readonly asks: ReadonlyArray<Ask> }> => {
  const draw = mulberry32(seed)
  const { server, clock, http, told } = virtualFaults(optionsOf(mode))
  const asks: Array<Ask> = []
  // Read at the end: heartbeats come for as long as a connection is open.
  const answers: Array<Array<VirtualResponse>> = []
  const ends: Array<string> = []
  let line: VirtualConnection | null = null
  for (let index = 0; index < count; index++) {
    if (line?.isOpen !== true) {
      line = http.connect()
      answers.push([])
    }
    const path = paths[draw() % paths.length] ?? ""
    const body = JSON.stringify({ model: "m", messages: [], stream: draw() % 2 === 0, user: `${index}` })
    const answer = line.request({ method: "POST", target: path, headers: [], body })
    clock.settle()
    // Nobody notices live that a client leaves whose server vanished.
    const leaves = draw() % 6 === 0 && answer.ended !== "vanish"
    asks.push({ path, body, connection: answers.length - 1, leaves })
    if (leaves) line.disconnect()
    else clock.advance(passMs)
    clock.settle()
    answers.at(-1)?.push(answer)
    if (!leaves && answer.ended === "rst") ends.push(`${index} ECONNRESET`)
    if (!leaves && (answer.ended === "fin" || answer.ended === "halfClose")) ends.push(`${index} FIN`)
    if (answer.ended !== "end") line = null
  }
  const closing = server.close()
  clock.settle()
  await closing
  const bytes = answers.map((some) => some.map((answer) => withoutDate(wireOf(answer))).join(""))
  return { asks, bytes, ends, events: lines(told) }
}

/** The same requests, one after the other, at sockets. */
const runLive = async (mode: ResetMode, asks: ReadonlyArray<Ask>): Promise<Told> => {
  const { server, told, tell } = await toldFaults(optionsOf(mode))
  const clients: Array<WireClient> = []
  const ends: Array<string> = []
  let stallsLeft = 0
  for (const [index, { path, body, connection, leaves }] of asks.entries()) {
    const client = clients[connection] ?? openWire(server.port)
    clients[connection] = client
    client.write(rawPost(path, body))
    await tell("request", index + 1)
    if (leaves) client.socket.end()
    else await server.clock.advance(passMs)
    const { outcome } = await tell("result", index + 1)
    if (leaves && outcome === "stalled") await tell("closed", ++stallsLeft)
    if (!leaves && outcome === "reset") {
      await client.ended()
      ends.push(`${index} ${client.hasEnded() ? "FIN" : await client.closed()}`)
    }
  }
  await server.close()
  for (const client of clients) {
    await client.ended()
    client.socket.destroy()
  }
  return { bytes: clients.map((client) => withoutDate(client.received())), ends, events: lines(told) }
}

it.each(["fin", "rst"] as const)(
  "the same seed and the same requests in the same order give the same bytes live and virtually, dropped by %s",
  async (mode) => {
    const { asks, ...virtual } = await runVirtual(mode)
    const live = await runLive(mode, asks)

    expect(live.bytes).toEqual(virtual.bytes)
    expect(live.ends).toEqual(virtual.ends)
    expect(live.events).toEqual(virtual.events)
    // It was a run worth the name: connections were used again, clients left, and nearly every fault occurred.
    const told = live.events.join("\n")
    expect(faultNames.filter((name) => !told.includes(`"${name}"`)).length).toBeLessThan(5)
    expect(live.bytes.length).toBeLessThan(count)
    expect(told).toContain("client_closed")
    expect(await runLive(mode, asks)).toEqual(live)
  }
)
