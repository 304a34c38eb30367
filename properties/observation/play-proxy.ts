import type { ConnectionReport } from "../../src/proxy/fault-proxy.ts"
import { type Direction, directions, type FaultRule } from "../../src/proxy/plan/fault-program.ts"
import { readPlan, readRule } from "../../src/proxy/plan/read-plan.ts"
import { joined } from "../arbitraries/framed-streams.ts"
import { barriers } from "../arbitraries/proxy-programs.ts"
import type { ConnectionScene, ProxyDeed, ProxyScene } from "../arbitraries/proxy-scenes.ts"
import { type SentStream, streamBytes } from "../arbitraries/proxy-streams.ts"
import { type ProxyEnd, playEnd } from "./proxy-end.ts"
import { type ProxyStage, proxyStage, upstreamAddress } from "./proxy-stage.ts"
import type { ProxySocket } from "./watched-streams.ts"

/** From when on which rules count: behind so many frames of a direction of a connection. */
export interface RulesSince {
  readonly rules: ReadonlyArray<FaultRule>
  readonly received: (connection: number, direction: Direction) => number
}

/** One way through one connection, from who sends to who receives. */
export interface PlayedWay {
  readonly connection: number
  readonly direction: Direction
  readonly sent: SentStream
  readonly sender: ProxyEnd
  readonly receiver: ProxyEnd
  /** What has come to the proxy, and what it wanted to be written to the receiver. */
  heard(): Uint8Array
  written(): Uint8Array
  /** The socket of the proxy to the sender, and to the receiver; undefined where it was not connected. */
  source(): ProxySocket | undefined
  destination(): ProxySocket | undefined
  report(): ConnectionReport[Direction]
}

/** A scene that is being played. */
export interface ProxyPlay {
  readonly scene: ProxyScene
  readonly stage: ProxyStage
  /** Both ways of each connection; those whose client has not come send nothing. */
  readonly ways: ReadonlyArray<PlayedWay>
  readonly rulesSince: ReadonlyArray<RulesSince>
  /** Does something to the proxy. */
  act(deed: ProxyDeed): void
  /** Heals, resumes, releases and reads everything, until nothing happens any more. */
  letGo(look?: () => void): void
}

/** Sets a scene up; `settle` of its stage plays it. */
export const setUpScene = async (scene: ProxyScene): Promise<ProxyPlay> => {
  let next = (): void => {}
  const { wire, connections, plan, seed, tail, record, world } = scene
  const stage = await proxyStage(world, { framing: wire.choice, plan, seed, tail, record }, { accepted: () => next() })
  const { clock, streams, proxy, proxyStreams } = stage
  const waysOf = (connection: number, { client, upstream }: ConnectionScene): ReadonlyArray<PlayedWay> => {
    const asked = wire.write(client.raw, "clientToLeader")
    const answered = wire.write(upstream.raw, "leaderToClient")
    const near = playEnd(clock, client, streamBytes(asked))
    const far = playEnd(clock, upstream, streamBytes(answered))
    const socketAt = (side: ProxySocket["side"]) => (): ProxySocket | undefined =>
      proxyStreams.sockets.find((socket) => socket.connection === connection && socket.side === side)
    const way = (
      direction: Direction,
      parts: Pick<PlayedWay, "sent" | "sender" | "receiver" | "source" | "destination">
    ): PlayedWay => ({
      ...parts,
      connection,
      direction,
      heard: () => joined((parts.source()?.heard ?? []).map(({ bytes }) => bytes)),
      written: () => joined((parts.destination()?.written ?? []).map(({ bytes }) => bytes)),
      report: () => reportOf(stage, connection, direction)
    })
    return [
      way("clientToLeader", {
        sent: asked,
        sender: near,
        receiver: far,
        source: socketAt("client"),
        destination: socketAt("upstream")
      }),
      way("leaderToClient", {
        sent: answered,
        sender: far,
        receiver: near,
        source: socketAt("upstream"),
        destination: socketAt("client")
      })
    ]
  }
  const ways = connections.flatMap((connection, place) => waysOf(place + 1, connection))
  const rulesSince: Array<RulesSince> = [{ rules: readPlan(plan).rules, received: () => 0 }]

  /** Clients come one behind the other, so that their numbers are known. */
  const connect = (place: number): void => {
    const connection = connections[place]
    const [asking, answering] = ways.filter((way) => way.connection === place + 1)
    if (connection === undefined || asking === undefined || answering === undefined) return
    if (connection.isRefused !== true) serve(place + 1, answering.sender)
    // Nothing is later than the upstream, which takes up to 40 ms to listen.
    clock.arm(50 + connection.afterMs, "play/connect", () => {
      next = () => connect(place + 1)
      streams.connect(proxy.address, { opened: asking.sender.open, failed: () => {} })
    })
  }
  const serve = (connection: number, end: ProxyEnd): void => {
    streams.listen(upstreamAddress(connection), {
      bound: () => {},
      failed: ({ reason }) => {
        throw new Error(reason)
      },
      accepted: end.open,
      lost: () => {}
    })
  }
  connect(0)

  const noteRules = (change: (rules: ReadonlyArray<FaultRule>) => ReadonlyArray<FaultRule>): void => {
    const reports = proxy.connections()
    const received = new Map(
      reports.flatMap(({ id, ...report }) =>
        directions.map((direction) => [`${id}/${direction}`, report[direction].received] as const)
      )
    )
    rulesSince.push({
      rules: change(rulesSince.at(-1)?.rules ?? []),
      received: (connection, direction) => received.get(`${connection}/${direction}`) ?? 0
    })
  }
  const act = (deed: ProxyDeed): void => perform(stage, deed, noteRules)
  let events = proxy.events().length
  let afterMs = 0
  for (const { when, deed } of scene.deeds) {
    if (!("afterMs" in when)) continue
    afterMs += when.afterMs
    clock.arm(afterMs, "play/deed", () => act(deed))
  }
  proxy.watch(() => {
    events += 1
    for (const { when, deed } of scene.deeds) if ("atEvent" in when && when.atEvent === events) act(deed)
  })

  const letGoOnce = (): void => {
    for (const { sender, receiver } of ways) for (const end of [sender, receiver]) end.readOn()
    proxy.heal()
    for (const direction of directions) proxy.resume(direction)
    for (const barrier of barriers) proxy.release(barrier)
  }

  return {
    scene,
    stage,
    ways,
    rulesSince,
    act,
    letGo(look) {
      stage.settle(look)
      letGoOnce()
      // Each round lets every direction go one stall further.
      while (clock.armed() > 0) {
        stage.settle(look)
        letGoOnce()
      }
    }
  }
}

/** Plays a scene until nothing happens any more. */
export const playScene = async (scene: ProxyScene, look?: (play: ProxyPlay) => void): Promise<ProxyPlay> => {
  const play = await setUpScene(scene)
  play.letGo(look === undefined ? undefined : () => look(play))
  return play
}

const perform = (
  { proxy }: ProxyStage,
  deed: ProxyDeed,
  noteRules: (change: (rules: ReadonlyArray<FaultRule>) => ReadonlyArray<FaultRule>) => void
): void => {
  switch (deed.type) {
    case "pause":
    case "resume":
      proxy[deed.type](deed.direction, deed.connection)
      break
    case "partition":
    case "heal":
      proxy[deed.type](...(deed.direction === null ? [] : [deed.direction]))
      break
    case "release":
      proxy.release(deed.barrier)
      break
    case "vanish":
    case "severConnection":
      proxy[deed.type](deed.connection)
      break
    case "severNow":
      proxy.severNow()
      break
    case "addRule": {
      const id = proxy.addRule(deed.rule)
      noteRules((rules) => [...rules, readRule(deed.rule, { id })])
      break
    }
    case "removeRule":
      proxy.removeRule(deed.id)
      noteRules((rules) => rules.filter(({ id }) => id !== deed.id))
      break
    case "setPlan":
      proxy.setPlan(deed.plan)
      noteRules(() => readPlan(deed.plan).rules)
  }
}

const reportOf = ({ proxy }: ProxyStage, connection: number, direction: Direction): ConnectionReport[Direction] => {
  const report = proxy.connections().find(({ id }) => id === connection)
  if (report === undefined) throw new Error(`the proxy knows of no connection ${connection}`)
  return report[direction]
}

/** Stops the proxy, lets everybody leave, and waits until nothing happens any more. */
export const stopScene = async ({ stage }: ProxyPlay): Promise<void> => {
  const stopped = stage.proxy.stop()
  stage.settle()
  await stopped
}
