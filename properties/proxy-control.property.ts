import fc from "fast-check"
import { expect, test } from "vitest"
import { seededChoice } from "../src/kernel/choice-sources.ts"
import { answerRequest } from "../src/proxy/control/answer-request.ts"
import { makeControlDesk } from "../src/proxy/control/control-desk.ts"
import { startProxyControl } from "../src/proxy/control/proxy-control.ts"
import { simStreamWorld } from "../test/ports/sim-stream-world.ts"
import { connect, right } from "../test/ports/stream-world.ts"
import { type Answer, answersOf } from "../test/proxy/control/control-client.ts"
import { makeFakeProxy } from "../test/proxy/control/fake-proxy.ts"
import { checkProperty } from "./check.ts"

const direction = fc.constantFrom("c2u", "u2c", "both", "clientToLeader", "up")
const barrier = fc.constantFrom("go", "hold-1", "hold-2", "")
const connection = fc.constantFrom(1, 2, 3, "1", null)

/** Requests of a command with some of its members, or none. */
const asking = <T>(command: fc.Arbitrary<string>, members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.tuple(command, fc.record(members, { requiredKeys: [] })).map(([name, given]) => ({ command: name, ...given }))

/** Good ones and bad ones, of which none waits. */
const requests = fc.oneof(
  asking(fc.constantFrom("sever", "vanish"), { connection, id: fc.nat() }),
  asking(fc.constant("hold"), { barrier, direction, times: fc.nat(2) }),
  asking(fc.constant("release"), { barrier, id: fc.string() }),
  asking(fc.constantFrom("pause", "resume", "partition", "heal"), { direction, connection }),
  asking(fc.constant("rule add"), { rule: fc.record({ action: fc.constantFrom("drop", "frop") }) }),
  asking(fc.constant("rule remove"), { rule: fc.constantFrom("added-1", "added-2") }),
  asking(fc.constantFrom("rule list", "stats", "held", "events", "help", "hodl"), { id: fc.nat() }),
  asking(fc.constant("plan"), { plan: fc.constantFrom(null, { dropFrame: 1 }, { dropFrame: -1 }) }),
  fc.jsonValue()
)

const lines = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: requests.map((one) => JSON.stringify(one)) },
    fc.string(),
    fc.constantFrom("", " \t")
  )
)

/** What is answered to each line by itself, by a proxy that is asked nothing else. */
const answeredAlone = (said: ReadonlyArray<string>): ReadonlyArray<Answer> => {
  const desk = makeControlDesk(makeFakeProxy().proxy, () => {})
  return said
    .filter((line) => /[^ \t]/.test(line))
    .map((line) => {
      const answer = answerRequest(new TextEncoder().encode(line), desk)
      if (answer instanceof Promise) throw new Error("none of these waits")
      return JSON.parse(JSON.stringify(answer))
    })
}

// Seen to fail when a request is answered twice, when the last line needs its LF, and when a chunk is thrown away while answers are unread.
test("each line that is said to a control socket is answered once, in order, as if it had come alone and whole", async () => {
  const property = fc.asyncProperty(lines, fc.boolean(), fc.nat(), async (said, endsWithLine, seed) => {
    const world = simStreamWorld(seededChoice(seed))()
    const desk = makeControlDesk(makeFakeProxy().proxy, () => {})
    const listen = { kind: "unix", path: world.freshPath() } as const
    const control = await world.settled(startProxyControl(world, { listen, desk }))
    const client = right(await world.settled(connect(world.streams, control.address)))

    const text = said.map((line) => line.replaceAll(/[\r\n]/g, "")).join("\n")
    void client.write(endsWithLine ? `${text}\n` : text)
    client.socket.end()
    await world.settled(client.closed)

    expect(answersOf(client)).toEqual(answeredAlone(text.split("\n")))
    await world.settled(control.stop())
    expect(world.streams.open()).toEqual({ listeners: 0, connections: 0 })
  })
  await checkProperty("proxy control, answers", property, { runs: 60 })
})
