import { describe, expect, it } from "vitest"
import { delayMsMax } from "../../src/domain/durations.ts"
import { type FaultName, faultNames } from "../../src/domain/fault-names.ts"
import type { ResetMode } from "../../src/domain/fault-options.ts"
import type { Ending, Plan } from "../../src/domain/plan.ts"
import type { FaultAnswer } from "../../src/faults/catalogue/behavior.ts"
import { behaviorOf } from "../../src/faults/catalogue/catalogue.ts"
import { faultPlan } from "../../src/faults/catalogue/fault-plan.ts"
import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"
import { answerOf, type Kind, kinds } from "../faults/catalogue/planned.ts"
import { formats, mock } from "../faults/voices/written.ts"
import { stretchesOf } from "../faults/wire/on-the-wire.ts"
import { flood, openWire, type WireClient } from "../faults/wire/wire-client.ts"
import { type ToldFaults, toldFaults } from "../support/fault-world.ts"
import { rawPost } from "../support/live-world.ts"

/** Long enough that a test would hang if any of it really passed. Only the first heartbeat comes. */
const times = { chunkDelayMs: 60_000, disconnectDelayMs: 60_000, headDelayMs: 60_000, heartbeatMs: delayMsMax }

/** Where the clock of these servers stands: in the first moment of the year 2000. */
const wallMs = 946_684_800_000
const date = "Sat, 01 Jan 2000 00:00:00 GMT"

const paths = { chat: "/v1/chat/completions", responses: "/v1/responses", messages: "/v1/messages" }

const postOf = (format: FaultFormat, kind: Kind): string =>
  rawPost(paths[format], JSON.stringify({ model: "m", messages: [], stream: kind === "stream" }))

interface Case {
  readonly name: FaultName
  readonly mode: ResetMode
  readonly format: FaultFormat
  readonly kind: Kind
}

const planOf = ({ name, mode, format, kind }: Case): Plan => {
  const answer = answerOf(name, { voice: mock(format), kind, settings: { ...times, resetMode: mode }, wallMs })
  return faultPlan(answer, { barriers: [], owner: "call", headers: connectionHeaders(answer) })
}

/** Errors tell how long a connection may be idle. */
const connectionHeaders = ({ head }: FaultAnswer) => {
  const isError = head !== null && head.status >= 400
  const keepAlive = isError ? [["keep-alive", "timeout=5"] as const] : []
  return [["connection", "keep-alive"] as const, ...keepAlive, ["date", date] as const]
}

/** Faults with pauses by the thousand take the rest of them at once. */
const pausesMax = 20

/** Lets the time of a plan pass, pause by pause. What it promises before a pause is there before the pause is over. */
const walk = async ({ server }: ToldFaults, client: WireClient, plan: Plan): Promise<Buffer> => {
  const stretches = stretchesOf(plan)
  let expected = Buffer.alloc(0)
  for (const { bytes, pauseMs } of stretches.slice(0, pausesMax)) {
    expected = Buffer.concat([expected, bytes])
    await client.until(expected.byteLength)
    expect(client.received().toString()).toBe(expected.toString())
    if (pauseMs > 0) await server.clock.advance(pauseMs)
  }
  const rest = stretches.slice(pausesMax)
  if (rest.length > 0) await server.clock.advance(rest.reduce((sum, { pauseMs }) => sum + pauseMs, 0))
  expected = Buffer.concat([expected, ...rest.map(({ bytes }) => bytes)])
  await client.until(expected.byteLength)
  return expected
}

/** Something else happens meanwhile: a whole exchange on another connection, and a day passes. */
const meanwhile = async ({ server }: ToldFaults): Promise<void> => {
  const other = openWire(server.port)
  other.write(postOf("chat", "reply"))
  await other.until(1)
  await server.clock.advance("24 hours")
  other.socket.end()
  await other.closed()
}

/** The same, with more bytes than fit between two sockets: whoever is read at all is read by now. */
const floodMeanwhile = async (world: ToldFaults): Promise<void> => {
  const other = openWire(world.server.port)
  await flood(other)
  other.socket.destroy()
  await meanwhile(world)
}

/** How each ending shows at a socket, so that no two are taken for each other. */
const seen: Readonly<Record<Ending, (world: ToldFaults, client: WireClient, bytes: number) => Promise<void>>> = {
  async end(_, client, bytes) {
    client.write(postOf("chat", "reply"))
    await client.until(bytes + 1)
    expect(client.received().subarray(bytes).toString()).toMatch(/^HTTP\/1\.1 500 /)
    expect([client.hasEnded(), client.isOpen()]).toEqual([false, true])
  },
  async fin(_, client) {
    await client.ended()
    expect([client.hasEnded(), client.isOpen()]).toEqual([true, true])
    // It has closed both directions, so nobody reads.
    const refused = await Promise.race([flood(client).then(() => "read"), client.closed()])
    expect(refused).toMatch(/^(?:EPIPE|ECONNRESET)$/)
  },
  async rst(_, client) {
    await client.ended()
    expect(client.hasEnded()).toBe(false)
    expect(await client.closed()).toBe("ECONNRESET")
  },
  async halfClose(world, client) {
    await client.ended()
    await flood(client)
    await meanwhile(world)
    expect([client.hasEnded(), client.isOpen()]).toEqual([true, true])
    client.socket.end()
    expect(await client.closed()).toBe("closed")
  },
  async stall(world, client) {
    await meanwhile(world)
    expect([client.hasEnded(), client.isOpen()]).toEqual([false, true])
    client.socket.end()
    await client.ended()
    expect(client.hasEnded()).toBe(true)
    expect(await client.closed()).toBe("closed")
    expect(await world.tell("closed")).toMatchObject({ attempt: 1, by: "client" })
  },
  async vanish(world, client) {
    const leaving = openWire(world.server.port)
    leaving.write(postOf("chat", "stream"))
    await world.tell("result", 2)
    let isRead = false
    flood(client).then(() => {
      isRead = true
    })
    leaving.socket.end()
    await floodMeanwhile(world)
    expect([isRead, client.hasEnded(), client.isOpen()]).toEqual([false, false, true])
    expect([leaving.hasEnded(), leaving.isOpen()]).toEqual([false, true])
    for (const { socket } of [client, leaving]) socket.destroy()
  }
}

const outcomes: Readonly<Record<Ending, string>> = {
  end: "completed",
  fin: "reset",
  rst: "reset",
  halfClose: "reset",
  stall: "stalled",
  vanish: "stalled"
}

/** What the record and the result have to say when all of a plan was sent. */
const sentBy = ({ steps, ending }: Plan) => {
  const writes = steps.flatMap((step) => (step.kind === "write" ? [step] : []))
  return {
    outcome: outcomes[ending],
    chunksSent: writes.reduce((sum, { events }) => sum + events, 0),
    bytesSent: writes.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), 0)
  }
}

const prove = async (asked: Case): Promise<void> => {
  const { name, mode, format, kind } = asked
  const entry = behaviorOf(name).uses.includes("resetMode") ? `${name}:${mode}` : name
  // Whoever vanished has to be asked twice: what one client sends and how another leaves are both ignored.
  const sequence = name === "vanish" ? [name, name] : [entry]
  const world = await toldFaults({ sequence, ...times })
  const plan = planOf(asked)
  const client = openWire(world.server.port)
  client.write(postOf(format, kind))
  await world.tell("request")

  const expected = await walk(world, client, plan)
  const { outcome, chunksSent, bytesSent } = sentBy(plan)
  const status = plan.steps.flatMap((step) => (step.kind === "head" ? [step.status] : []))[0]
  const closeMode = outcome === "reset" ? plan.ending : undefined
  const common = { attempt: 1, behavior: name, outcome, chunksSent, bytesSent, format, stream: kind === "stream" }

  expect(await world.tell("result")).toMatchObject({ ...common, status: status ?? null, closeMode: closeMode ?? null })
  const [record] = world.server.requests
  expect(record).toMatchObject(common)
  expect([record?.status, record?.closeMode]).toEqual([status, closeMode])
  await seen[plan.ending](world, client, expected.byteLength)
  expect(client.received().subarray(0, expected.byteLength).equals(expected)).toBe(true)
  if (plan.ending !== "end") expect(client.received().byteLength).toBe(expected.byteLength)
}

describe.each(faultNames)("on the wire %s", (name) => {
  const modes: ReadonlyArray<ResetMode> = behaviorOf(name).uses.includes("resetMode") ? ["fin", "rst"] : ["fin"]
  for (const format of formats) {
    for (const kind of kinds) {
      for (const mode of modes) {
        const dropped = modes.length > 1 ? `, dropped by ${mode}` : ""
        it(`sends in ${format} what its plan promises to a request for a ${kind}${dropped}, and so it ends`, () =>
          prove({ name, mode, format, kind }))
      }
    }
  }
})
