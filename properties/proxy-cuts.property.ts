import fc from "fast-check"
import { expect, test } from "vitest"
import { directions } from "../src/proxy/plan/fault-program.ts"
import { cuttingDeeds, faultPrograms, flowDeeds, timed } from "./arbitraries/proxy-programs.ts"
import { anyConnections, endScenes, plainScenes, politeConnections } from "./arbitraries/proxy-scenes.ts"
import { framedWires, streamBytes } from "./arbitraries/proxy-streams.ts"
import { checkProperty } from "./check.ts"
import { playScene, setUpScene } from "./observation/play-proxy.ts"
import { playEnd } from "./observation/proxy-end.ts"
import { hex } from "./observation/proxy-expected.ts"
import { nothingLeft, upstreamAddress } from "./observation/proxy-stage.ts"

const scenes = fc
  .tuple(
    plainScenes(fc.oneof(politeConnections, anyConnections)),
    faultPrograms(),
    fc.oneof(fc.constant([]), timed(flowDeeds), timed(fc.oneof(flowDeeds, cuttingDeeds)))
  )
  .map(([scene, plan, deeds]) => ({ ...scene, plan, deeds }))

/** How many events come first. */
const moments = fc.oneof(fc.nat(60), fc.nat(2_000))

/** What is written of a severed frame has so long. */
const boundMs = 100

// Seen to fail when nothing bounds how long the beginning of a severed frame may take.
test("X7. behind a sever nothing is written any more either way, and both sockets are gone at once", () => {
  const property = fc.asyncProperty(scenes, async (scene) => {
    const { stage, ways } = await playScene(scene)

    const facts = stage.proxy.events()
    for (const { written, receiver } of ways) expect(hex(written()).startsWith(hex(receiver.bytes()))).toBe(true)
    for (const socket of stage.proxyStreams.sockets) {
      expect(socket.misdeeds).toEqual([])
      const cut = facts.find((fact) => fact.type === "severed" && fact.connection === socket.connection)
      if (cut === undefined) continue
      expect(socket.written.filter(({ atMs }) => atMs > cut.at)).toEqual([])
      expect(socket.closedAtMs).not.toBeNull()
      // Of one that was gone before nothing is left to be destroyed.
      if (socket.closedAtMs !== null && socket.closedAtMs > cut.at) expect(socket.cutAtMs).toBe(cut.at)
      const rule = facts.find(
        (fact) => fact.type === "frame" && fact.connection === socket.connection && fact.action === "severed"
      )
      if (rule !== undefined) expect(cut.at - rule.at).toBeLessThanOrEqual(boundMs)
    }
  })
  return checkProperty("X7 proxy", property, { runs: 200 })
})

// Seen to fail when nothing bounds how long the beginning of a severed frame may take.
test("X7. the beginning of a severed frame has 100 ms, whether anybody reads it or not", () => {
  const stuck = plainScenes(politeConnections, framedWires).map((scene) => ({
    ...scene,
    plan: { severMidFrame: { frame: 1, afterBytes: 12 } },
    world: { ...scene.world, windowBytes: 1 },
    connections: scene.connections.map(({ upstream, ...rest }) => ({
      ...rest,
      upstream: { ...upstream, turnsMs: [0] }
    }))
  }))
  const property = fc.asyncProperty(stuck, async (scene) => {
    const { stage } = await playScene(scene)

    const facts = stage.proxy.events()
    for (const fact of facts) {
      if (fact.type !== "frame" || fact.action !== "severed") continue
      const cut = facts.find(
        ({ type, ...rest }) => type === "severed" && "connection" in rest && rest.connection === fact.connection
      )
      expect((cut?.at ?? Number.POSITIVE_INFINITY) - fact.at).toBeLessThanOrEqual(boundMs)
    }
  })
  return checkProperty("X7 stuck sever", property, { runs: 50 })
})

// Seen to fail when a cut leaves the pumps as they are, and when who is still being connected is spared.
test("X7, X10. severNow cuts those that are active, also while a frame waits or a write is stuck; who comes later gets through", () => {
  const property = fc.asyncProperty(scenes, moments, endScenes("end"), async (scene, events, later) => {
    const { stage, ways } = await setUpScene({
      ...scene,
      tail: "forward",
      // Nothing is done to who comes later.
      deeds: scene.deeds.filter(({ when }) => "afterMs" in when)
    })
    const { proxy, proxyStreams, clock, streams } = stage
    stage.run(events)
    const active = proxy.totals().active
    const severedBefore = proxy.totals().severed

    expect(proxy.severNow()).toBe(active)

    const writtenBytes = proxyStreams.sockets.map((socket) => socket.writtenBytes)
    expect(proxy.totals()).toMatchObject({ active: 0, severed: severedBefore + active })
    const accepted = proxyStreams.accepted()
    stage.run(50)
    proxyStreams.sockets.slice(0, writtenBytes.length).forEach((socket, place) => {
      expect(socket.writtenBytes).toBe(writtenBytes[place])
    })
    for (const way of ways)
      if (way.connection <= accepted) expect(hex(way.written()).startsWith(hex(way.receiver.bytes()))).toBe(true)
    // Who comes now is no business of the plan.
    stage.settle()
    proxy.setPlan({})
    proxy.heal()
    for (const direction of directions) proxy.resume(direction)
    const connection = proxyStreams.accepted() + 1
    const sent = scene.wire.write(later.raw, "clientToLeader")
    const answer = scene.wire.write(later.raw, "leaderToClient")
    const client = playEnd(clock, { ...later, turnsMs: [] }, streamBytes(sent))
    const upstream = playEnd(clock, { ...later, turnsMs: [] }, streamBytes(answer))
    streams.listen(upstreamAddress(connection), {
      bound: () => streams.connect(proxy.address, { opened: client.open, failed: () => {} }),
      failed: () => {},
      accepted: upstream.open,
      lost: () => {}
    })
    stage.settle()
    expect([hex(upstream.bytes()), hex(client.bytes())]).toEqual([hex(streamBytes(sent)), hex(streamBytes(answer))])
  })
  return checkProperty("X10 proxy", property, { runs: 200 })
})

// Seen to fail when the proxy has stopped as soon as it listens no more, and when a cut leaves the pumps as they are.
test("X16. stopped at any moment nothing is left of it: no chart, timer, socket or file, and the place is free at once", () => {
  const property = fc.asyncProperty(scenes, moments, async (scene, events) => {
    const { stage, ways } = await setUpScene(scene)
    const { proxy, proxyStreams, streams } = stage
    stage.run(events)

    const stopping = proxy.stop()
    const writtenBytes = proxyStreams.sockets.map((socket) => socket.writtenBytes)
    await stage.until(stopping)

    expect(stage.leftovers()).toEqual(nothingLeft)
    const outcomes: Array<string> = []
    streams.connect(proxy.address, {
      opened: () => {
        outcomes.push("opened")
        return { received: () => {}, ended: () => {}, closed: () => {} }
      },
      failed: ({ kind }) => outcomes.push(kind)
    })
    stage.settle()
    streams.listen(proxy.address, {
      bound: () => outcomes.push("bound"),
      failed: ({ kind }) => outcomes.push(kind),
      accepted: () => ({ received: () => {}, ended: () => {}, closed: () => {} }),
      lost: () => {}
    })
    for (const { sender, receiver } of ways) for (const end of [sender, receiver]) end.readOn()
    stage.settle()
    expect(outcomes).toEqual(["missing", "bound"])
    expect(proxyStreams.sockets.slice(0, writtenBytes.length).map((socket) => socket.writtenBytes)).toEqual(
      writtenBytes
    )
    for (const { written, receiver } of ways) expect(hex(written()).startsWith(hex(receiver.bytes()))).toBe(true)
    for (const { sender, receiver } of ways) for (const end of [sender, receiver]) end.leave()
    stage.settle()
    expect(streams.open().connections).toBe(0)
    await proxy.stop()
  })
  return checkProperty("X16 proxy", property, { runs: 200 })
})

// Seen to fail when a client that is refused is left open, and when one is counted more than once.
test("X17. a client whose upstream is not there gets no byte and an end, and the others are as if nothing were", () => {
  const property = fc.asyncProperty(
    plainScenes(),
    fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    async (scene, refused) => {
      const connections = scene.connections.map((connection, place) => ({
        ...connection,
        isRefused: refused[place] === true
      }))
      const { stage, ways } = await playScene({ ...scene, connections, tail: "forward" })

      const isRefused = (connection: number): boolean => connections[connection - 1]?.isRefused === true
      expect(stage.proxy.totals()).toMatchObject({
        accepted: connections.length,
        upstreamRefused: connections.filter((connection) => connection.isRefused).length
      })
      for (const { connection, direction, sent, receiver, sender } of ways) {
        if (!isRefused(connection)) {
          const { client, upstream } = connections[connection - 1] ?? {}
          if ((direction === "clientToLeader" ? client : upstream)?.ending === "end")
            expect(hex(receiver.bytes())).toBe(hex(streamBytes(sent)))
          continue
        }
        expect(receiver.bytes().length).toBe(0)
        if (direction === "clientToLeader") expect(sender.reports.at(-1)).toMatch(/closed|ended/)
      }
    }
  )
  return checkProperty("X17 proxy", property)
})
