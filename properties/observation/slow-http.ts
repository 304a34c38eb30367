import type { Exchange, HttpApp, HttpPort } from "../../src/ports/http-port.ts"
import type { VirtualHttp } from "../../src/sim/virtual-http.ts"
import type { Lifetime } from "../../src/supervisor/lifetime.ts"

/** A virtual network on which the body of a request arrives later than its head. */
export interface SlowHttp {
  readonly port: HttpPort
  /** Makes a request, and keeps its body back until the function that it gives is called. */
  slowly<A>(ask: () => A): { readonly asked: A; readonly arrive: () => void }
}

export const makeSlowHttp = (http: VirtualHttp): SlowHttp => {
  let kept: Array<() => void> | null = null
  const slow = (app: HttpApp): HttpApp => ({
    connected(destroy) {
      const connection = app.connected(destroy)
      return {
        ...connection,
        open(head, sink) {
          const exchange: Exchange = connection.open(head, sink)
          return {
            ...exchange,
            received(body) {
              if (kept === null) exchange.received(body)
              else kept.push(() => exchange.received(body))
            }
          }
        }
      }
    }
  })
  return {
    port: { listen: (address, app, report) => http.listen(address, slow(app), report) },
    slowly(ask) {
      const bodies: Array<() => void> = []
      kept = bodies
      const asked = ask()
      kept = null
      return {
        asked,
        arrive() {
          for (const arrive of bodies) arrive()
        }
      }
    }
  }
}

/** What `makeLifetime` makes, without running an effect: only the edge may do that. */
export const plainLifetime = (release = (): void => {}): Lifetime => {
  const inside: Array<Lifetime> = []
  let isOver = false
  return {
    fork(releaseChild) {
      const child = plainLifetime(releaseChild)
      inside.push(child)
      return child
    },
    end() {
      if (isOver) return
      isOver = true
      for (const child of inside.splice(0).reverse()) child.end()
      release()
    }
  }
}
