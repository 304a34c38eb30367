import { expect, onTestFinished, test } from "vitest"
import { makeControlDesk } from "../../../src/proxy/control/control-desk.ts"
import { startProxyControl } from "../../../src/proxy/control/proxy-control.ts"
import { connect, right, type StreamWorld } from "../../ports/stream-world.ts"
import { proxyRun } from "../proxy-world.ts"
import { answers, commander } from "./control-client.ts"

/** What holds of a proxy that is commanded through its socket, in both worlds. */
export const commandedProxy = (make: () => StreamWorld): void => {
  const begin = async () => {
    const world = make()
    const run = await proxyRun(world, { framing: "ndjson" })
    const desk = makeControlDesk(run.proxy, () => void run.proxy.stop())
    const listen = { kind: "unix", path: world.freshPath() } as const
    const control = await world.settled(startProxyControl(world, { listen, desk }))
    onTestFinished(async () => {
      await world.settled(run.proxy.stop())
      await world.settled(control.stop())
    })
    return { ...run, control, ...(await commander(world, control.address)) }
  }

  test("hold lets a frame wait, and release lets it go, with those behind it", async () => {
    const { world, ask, through } = await begin()
    const { client, upstream } = await through()
    expect(
      await ask({ command: "hold", barrier: "go", direction: "c2u", match: { where: { "/n": 2 } } })
    ).toMatchObject({
      ok: true
    })
    await world.settled(client.write('{"n":1}\n{"n":2}\n{"n":3}\n'))

    expect((await ask({ command: "wait held", barrier: "go" })).result).toEqual({
      connection: 1,
      direction: "clientToLeader",
      index: 2,
      barriers: ["go"]
    })
    await world.settled(upstream.has(8))
    expect(upstream.text()).toBe('{"n":1}\n')
    expect((await ask({ command: "release", barrier: "go" })).result).toEqual({ frames: 1, barriers: ["go"] })
    await world.settled(upstream.has(24))
    expect(upstream.text()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
    expect((await ask({ command: "rule list" })).result).toEqual({ rules: [] })
  })

  test("partition lets nothing through, and heal all of it", async () => {
    const { world, ask, through } = await begin()
    const { client, upstream } = await through()
    await ask({ command: "partition", direction: "c2u" })
    await world.settled(client.write("one\n"))
    await world.settled(upstream.write("back\n"))
    await world.settled(client.has(5))
    expect((await ask({ command: "stats" })).result).toMatchObject({
      forwarded: { clientToLeader: 0, leaderToClient: 1 }
    })

    await ask({ command: "heal" })
    expect((await ask({ command: "wait forwarded", direction: "c2u", count: 1 })).ok).toBe(true)
    await world.settled(upstream.has(4))

    expect(upstream.text()).toBe("one\n")
  })

  test("sever cuts one connection or all, and no later ones", async () => {
    const { world, ask, through } = await begin()
    const [one, two, three] = [await through(), await through(), await through()]
    expect((await ask({ command: "sever", connection: 2 })).result).toEqual({ severed: 1 })
    await world.settled(two.upstream.ended)
    await world.settled(one.client.write("one\n"))
    await world.settled(one.upstream.has(4))
    expect((await ask({ command: "sever" })).result).toEqual({ severed: 2 })
    await world.settled(Promise.all([one.client.ended, three.upstream.ended]))

    const later = await through()
    await world.settled(later.client.write("four\n"))
    await world.settled(later.upstream.has(5))
    expect((await ask({ command: "stats" })).result).toMatchObject({ totals: { accepted: 4, active: 1, severed: 3 } })
  })

  test("rules and plans count for what comes from then on", async () => {
    const { world, ask, through } = await begin()
    const { client, upstream } = await through()
    await ask({ command: "rule add", rule: { id: "odd", match: { every: { step: 2, first: 1 } }, action: "drop" } })
    await world.settled(client.write("1\n2\n"))
    await world.settled(upstream.has(2))
    expect((await ask({ command: "rule remove", rule: "odd" })).result).toEqual({ removed: "odd" })
    await world.settled(client.write("3\n"))
    await world.settled(upstream.has(4))
    await ask({ command: "plan", plan: { duplicateFrame: 4 } })
    await world.settled(client.write("4\n"))
    await world.settled(upstream.has(8))

    expect(upstream.text()).toBe("2\n3\n4\n4\n")
  })

  test("pause stops reading a direction until it is resumed, and vanish says nothing to anybody", async () => {
    const { world, ask, through } = await begin()
    const [one, two] = [await through(), await through()]
    await ask({ command: "pause", direction: "u2c", connection: 1 })
    await world.settled(one.upstream.write("1\n"))
    await world.settled(two.upstream.write("2\n"))
    await world.settled(two.client.has(2))
    expect(one.client.text()).toBe("")
    await ask({ command: "resume" })
    await world.settled(one.client.has(2))
    expect((await ask({ command: "vanish", connection: 2 })).result).toEqual({ vanished: 2 })
    await world.settled(two.client.write("lost\n"))
    await world.settled(one.client.write("kept\n"))
    await world.settled(one.upstream.has(5))

    expect(two.upstream.text()).toBe("")
    expect(two.client.reports).toEqual([])
  })

  test("the end of the proxy answers those who wait, and nothing is left of either", async () => {
    const { world, proxy, control, ask, socket, timers } = await begin()
    await world.settled(socket.write('{"id":"waits","command":"wait connections","count":1}\n'))
    await ask({ command: "held" })
    expect((await ask({ command: "stop" })).ok).toBe(true)

    const told = await answers(world, socket, 3)
    expect(told.find(({ id }) => id === "waits")).toMatchObject({ ok: false, error: expect.stringMatching(/stopped/) })
    await world.settled(proxy.stop())
    await world.settled(control.stop())
    await world.settled(socket.ended)
    expect(timers()).toBe(0)
    const problem = await world.settled(connect(world.streams, control.address))
    expect(() => right(problem)).toThrow()
  })
}
