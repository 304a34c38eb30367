import fc from "fast-check"
import { expect, test } from "vitest"
import { HarnessError } from "../src/domain/harness-error.ts"
import { connectLeader } from "../src/harness/leader-ipc/connect-leader.ts"
import type { LeaderConnection } from "../src/harness/leader-ipc/leader-connection.ts"
import { startFakeLeader } from "../src/harness/leader-ipc/start-fake-leader.ts"
import type { Choice } from "../src/kernel/choice.ts"
import { listedChoice, seededChoice } from "../src/kernel/choice-sources.ts"
import { makeTrace } from "../src/kernel/trace.ts"
import { makeVirtualClock } from "../src/kernel/virtual-clock.ts"
import { makeSimStreams } from "../src/sim/stream-sockets.ts"
import { makeSupervisor } from "../src/supervisor/supervisor.ts"
import { encodeFrame } from "../src/wire/frames/length-prefixed.ts"
import { type LeaderFrame, type LeaderScene, leaderScenes } from "./arbitraries/leader-deeds.ts"
import { checkProperty } from "./check.ts"
import { ipcModel, type ModelEnd } from "./model/leader-ipc.ts"

const path = "/run/leader.sock"

const bytesOf = ({ content }: LeaderFrame): Uint8Array => {
  if (typeof content !== "number") {
    return encodeFrame(new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content)))
  }
  const prefix = new Uint8Array(4)
  new DataView(prefix.buffer).setUint32(0, content)
  return prefix
}

/** Nothing takes time; only where bytes are cut is chosen. */
const cutting = (choices: ReadonlyArray<number>): Choice => {
  const listed = listedChoice(choices)
  return { draw: (n, label) => (label === "stream/segment" ? listed.draw(n, label) : 0) }
}

const makeStage = (choice: Choice) => {
  const clock = makeVirtualClock(choice)
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const { port: streams } = makeSimStreams({ clock, choice })
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 25; turn++) await null
  }
  return {
    clock,
    trace,
    world: { supervisor, streams, redact: (text: string) => text, timeoutScale: () => 1 },
    turns,
    /** Lets so much time pass, and everybody go on in it. */
    async pass(ms: number) {
      const end = clock.now() + ms
      await turns()
      while (clock.nextDue() <= end) {
        clock.step()
        await turns()
      }
      clock.advance(end - clock.now())
      await turns()
    }
  }
}

type Stage = ReturnType<typeof makeStage>

/** A leader that does what a scene says from the first register on. */
const playLeader = async ({ clock, world, pass }: Stage, { deeds, tailBytes, closes }: LeaderScene) => {
  const starting = startFakeLeader(world, path, {
    heard(client, { type }) {
      if (type !== "register") return
      const play = (at: number): void => {
        const deed = deeds[at]
        clock.arm(deed?.afterMs ?? 1, "leader", () => {
          if (deed === undefined) {
            client.write(encodeFrame(new Uint8Array(9)).subarray(0, tailBytes))
            if (closes) client.close()
            return
          }
          client.write(Uint8Array.from(deed.frames.flatMap((frame) => [...bytesOf(frame)])))
          play(at + 1)
        })
      }
      play(0)
    }
  })
  await pass(100)
  return starting
}

/** When something settles, and the tag of its error. */
const endOf = ({ clock }: Stage, promise: Promise<unknown>, begun: number): { end: ModelEnd | null } => {
  const seen: { end: ModelEnd | null } = { end: null }
  promise.then(
    () => {
      seen.end = { at: clock.now() - begun, tag: null }
    },
    (error: unknown) => {
      seen.end = { at: clock.now() - begun, tag: error instanceof HarnessError ? error._tag : String(error) }
    }
  )
  return seen
}

/** Everything that has come, in order; nothing waits for more. */
const allReceived = async (connection: LeaderConnection | null, { pass }: Stage): Promise<ReadonlyArray<string>> => {
  const payloads: Array<string> = []
  while (connection !== null && connection.unreceived().waiting > 0) payloads.push(await connection.receive())
  await pass(0)
  return payloads
}

/** Longer than any scene and the waits behind it. */
const longMs = 1_000_000

interface Seen {
  connection: LeaderConnection | null
  control: { readonly end: ModelEnd | null }
  over: { readonly end: ModelEnd | null }
}

/** Plays a scene to its end, and gives what its client saw. */
const played = async (scene: LeaderScene, choice: Choice) => {
  const stage = makeStage(choice)
  const { clock, world } = stage
  const leader = await playLeader(stage, scene)
  const begun = clock.now()
  const seen: Seen = { connection: null, control: { end: null }, over: { end: null } }
  const connecting = connectLeader(world, path).then((made) => {
    seen.connection = made
    seen.over = endOf(stage, made.closed(), begun)
    clock.arm(0.5, "control", () => {
      seen.control = endOf(stage, made.control({ type: "get_leader_info" }), begun)
    })
  })
  const connect = endOf(stage, connecting, begun)
  await stage.pass(longMs)
  return { stage, leader, connect, ...seen }
}

/** Closes both sides, and says what is left of them. */
const leftovers = async ({ stage, leader, connection }: Awaited<ReturnType<typeof played>>) => {
  connection?.disconnect()
  await stage.pass(5_000)
  leader.close()
  await stage.pass(5_000)
  const { supervisor, streams } = stage.world
  return { actors: supervisor.alive(), timers: stage.clock.armed(), ...streams.open() }
}

const nothing = { actors: 0, timers: 0, listeners: 0, connections: 0 }

// Seen to fail on these bugs, planted one at a time: another message than `registered` is passed over at first; the bound of the
// registration, or of the readiness, is missing; what comes before the leader is ready is dropped; an error of an open connection ends it;
// `shutdown` is passed over, or called a loss; what is no message is called one; what comes behind it is read; a missing `ready` is taken
// for no; an unknown type breaks the connection, or one that every object has is known; a payload that is no text is taken; the end of the
// stream is not told; the socket is not ended; commands are not ended with their connection, or never over when they are late.
test("L7. what a leader says is delivered or passed over, or ends the connection with a reason, and nothing waits past its bound", () => {
  const property = fc.asyncProperty(leaderScenes, async (scene) => {
    const run = await played(scene, cutting(scene.choices))
    const { stage, connection, connect, control, over } = run
    const model = ipcModel(scene)

    expect(connect.end).toEqual(model.connect)
    expect(control.end).toEqual(model.control)
    expect(over.end).toEqual(model.end === null ? null : { at: model.end.at, tag: null })
    expect(connection?.disconnectReason() ?? null).toBe(model.end?.reason ?? null)
    if (connection !== null) expect(await allReceived(connection, stage)).toEqual(model.payloads)
    expect(await leftovers(run)).toEqual(nothing)
  })
  return checkProperty("leader ipc", property, { runs: 300 })
})

/** Four attempts, a registration and a readiness, and what sockets take besides. */
const connectedWithinMs = 4 * 5_000 + 300 + 10_000 + 120_000 + 5_000

const isBeginOf = (list: ReadonlyArray<string>, whole: ReadonlyArray<string>): boolean =>
  list.every((item, index) => item === whole[index])

// Seen to fail when the socket is not ended with its connection, when a wait that was late is never over, and when a socket draws how long
// it takes from elsewhere.
test("L7. however long sockets take, nothing waits past its bound, nothing is left, and the same choices give the same trace (S4)", () => {
  const seeds = fc.nat(1_000_000)
  const property = fc.asyncProperty(leaderScenes, seeds, async (scene, seed) => {
    const [run, again] = [await played(scene, seededChoice(seed)), await played(scene, seededChoice(seed))]
    const { stage, connection, connect, control, over } = run

    expect(connect.end?.at ?? Number.NaN).toBeLessThanOrEqual(connectedWithinMs)
    expect(again.stage.trace.events()).toEqual(stage.trace.events())
    if (connection !== null) {
      expect(control.end?.at ?? Number.NaN).toBeLessThanOrEqual(connectedWithinMs + 30_001)
      expect(connection.disconnectReason() === null).toBe(over.end === null)
      const said = scene.deeds.flatMap(({ frames }) => frames.map(({ means }) => means))
      const payloads = said.flatMap((means) => (means.kind === "acp" ? [means.payload] : []))
      expect(isBeginOf(await allReceived(connection, stage), payloads)).toBe(true)
    }
    expect(await leftovers(run)).toEqual(nothing)
  })
  return checkProperty("leader ipc over slow sockets", property, { runs: 300 })
})
