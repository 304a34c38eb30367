import { expect, test } from "vitest"
import type { WatchedSocket } from "../../ports/stream-world.ts"
import { frame, frames } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

const message = (method: string, n: number): string => JSON.stringify({ jsonrpc: "2.0", method, params: { n } })

/** Scenarios 92 and 96 of agent-harness.md, section 9. */
export const manyScenarios = (setting: Setting): void => {
  test("92. of fifty connections at once each loses its third frame, and no other", async () => {
    const { world, proxy, echoed } = await startIn(setting, { plan: { dropFrame: 3 } })
    const names = Array.from({ length: 50 }, (_, place) => `client ${place}`)
    const sent = (name: string): ReadonlyArray<string> => ["1", "2", "3", "4", "5"].map((part) => `${name}: ${part}`)
    const left = (name: string): string => frames(...sent(name).filter((text) => !text.endsWith("3")))
    const clients: Array<WatchedSocket> = []
    for (const _ of names) clients.push(await echoed())

    // Frame by frame in turns, so that all of them are under way together.
    for (const part of [0, 1, 2, 3, 4])
      for (const [place, client] of clients.entries()) void client.write(frame(sent(names[place] ?? "")[part] ?? ""))
    await world.settled(Promise.all(clients.map((client, place) => client.has(left(names[place] ?? "").length))))

    expect(clients.map((client) => client.text())).toEqual(names.map(left))
    expect([proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")]).toEqual([200, 200])
    expect(proxy.totals()).toMatchObject({ accepted: 50, active: 50 })
    expect(proxy.connections().map(({ id, clientToLeader }) => [id, clientToLeader.dropped])).toEqual(
      names.map((_, place) => [place + 1, 1])
    )
    await world.settled(proxy.stop())
    expect(proxy.totals()).toMatchObject({ active: 0, closed: 50, severed: 50 })
  })

  test("96. on connection 1 alone the first session/update is dropped", async () => {
    const rule = {
      direction: "u2c",
      connection: 1,
      match: { method: "session/update" },
      action: "drop",
      times: 1
    }
    const { world, proxy, echoed } = await startIn(setting, { plan: { rules: [rule] } })
    const sent = [message("session/new", 1), message("session/update", 2), "{no json", message("session/update", 3)]
    const left = [sent[0] ?? "", ...sent.slice(2)]

    const first = await echoed()
    const second = await echoed()
    void first.write(frames(...sent))
    void second.write(frames(...sent))
    await world.settled(Promise.all([first.has(frames(...left).length), second.has(frames(...sent).length)]))

    expect(first.text()).toBe(frames(...left))
    expect(second.text()).toBe(frames(...sent))
    const dropped = proxy.events().filter((event) => event.type === "frame" && event.action === "dropped")
    expect(dropped).toMatchObject([
      { connection: 1, direction: "leaderToClient", index: 2, rules: ["rule-1"], bytes: frame(sent[1] ?? "").length }
    ])
    await world.settled(proxy.stop())
  })
}
