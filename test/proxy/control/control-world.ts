import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { makeControlDesk } from "../../../src/proxy/control/control-desk.ts"
import { type ProxyControl, startProxyControl } from "../../../src/proxy/control/proxy-control.ts"
import { connect, right, type StreamWorld, type WatchedSocket } from "../../ports/stream-world.ts"
import { type Answer, answers } from "./control-client.ts"
import { makeFakeProxy } from "./fake-proxy.ts"

/** A control socket in a world, in front of a proxy that is none, and clients of it. */
export const startControl = async (
  world: StreamWorld,
  options: { readonly listen?: StreamAddress; readonly events?: number } = {}
) => {
  const fake = makeFakeProxy(options)
  const listen = options.listen ?? { kind: "unix", path: world.freshPath() }
  let stops = 0
  let told = (): void => {}
  const stopsAre = (count: number): Promise<void> =>
    new Promise((resolve) => {
      told = () => {
        if (stops >= count) resolve()
      }
      told()
    })
  const control: ProxyControl = await world.settled(
    startProxyControl(world, {
      listen,
      desk: makeControlDesk(fake.proxy, () => {
        stops++
        told()
      })
    })
  )
  const client = async (): Promise<WatchedSocket> => right(await world.settled(connect(world.streams, control.address)))
  const lines = (socket: WatchedSocket, count: number): Promise<ReadonlyArray<Answer>> => answers(world, socket, count)
  return { world, ...fake, control, client, lines, stops: () => stops, stopsAre }
}
