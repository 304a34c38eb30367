import type { Ending } from "../../../src/domain/plan.ts"
import type { Sink } from "../../../src/kernel/sink.ts"
import type { Exchange, HttpApp } from "../../../src/ports/http-port.ts"
import type { VirtualRequest } from "../../../src/sim.ts"
import type { Step, StepKernel } from "./step-kernel.ts"
import type { Turns } from "./turns.ts"

/** One try of a client, on a connection of its own: all that both ends and the wire between them know of it. */
export interface Line {
  readonly client: string
  readonly attempt: number
  /** What of the request has reached the server. */
  arrived: "nothing" | "head" | "all"
  status: number | null
  /** Pieces that left the server and did not reach the client. */
  readonly flight: Array<string>
  /** How the server ended the answer. */
  finished: Ending | null
  /** Whether the server was told that the answer has left, or that it never will; `null` when it does not ask. */
  delivery: "open" | "told" | null
  received: string
  /** The client has seen the end of the answer. */
  hasEnd: boolean
  /** The client left before. */
  hasLeft: boolean
  /** The server knows that it left. */
  isGone: boolean
}

/** What is to be told of a line while it goes on. */
export interface LineWatch {
  /** The rest of a request is about to reach the server, and has. */
  arriving(line: Line): void
  arrived(line: Line): void
  /** The client has seen the end. */
  ended(line: Line): void
}

export const nameOf = ({ client, attempt }: Pick<Line, "client" | "attempt">): string => `${client}#${attempt}`

/** A try that has begun, and how its client gives it up. */
export interface Attempt {
  readonly line: Line
  /** Its server notices that at once, or when it likes. */
  leave(how: { readonly isNoticed: boolean }): void
}

/**
 * Sends a request over the slowest of all networks: its head, its body, each piece of the answer, the word that there is
 * room again, the end, and the word that the client has left are steps of their own, and take as long as they like.
 */
export const startAttempt = (options: {
  readonly kernel: StepKernel
  readonly app: HttpApp
  readonly request: VirtualRequest
  readonly client: string
  readonly attempt: number
  readonly turns: Turns
  readonly watch: LineWatch
}): Attempt => {
  const { kernel, app, request, client, attempt, turns, watch } = options
  const line = freshLine(client, attempt)
  const name = nameOf(line)
  /** At the server; what the client does on its own side does not touch that. */
  const server = (label: string, happen: () => void, others: ReadonlyArray<string> = []): Step =>
    kernel.plan({ label, actor: name, touches: ["server", client, ...others] }, happen)
  let take: Step | null = null
  let delivered: (() => void) | null = null

  const read = (): void => {
    if (line.hasLeft || take !== null) return
    const touches = line.flight.length > 0 ? ["server", client] : [client]
    take = kernel.plan({ label: "take", actor: name, touches }, () => {
      take = null
      const piece = line.flight.shift()
      if (piece === undefined) {
        line.hasEnd = true
        watch.ended(line)
        return
      }
      line.received += piece
      if (line.flight.length > 0 || line.finished !== null) read()
      else exchange?.written()
    })
  }
  const sink: Sink = {
    head(status) {
      line.status = status
    },
    // Nobody reads ahead: each piece is read before the next one is written.
    write(bytes) {
      line.flight.push(typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes))
      read()
      return false
    },
    writeUnframed: (bytes) => sink.write(bytes),
    flush: () => {},
    finish(how, report) {
      line.finished = how
      read()
      if (report === undefined) return
      const tell = (isDelivered: boolean): void => {
        delivered = null
        line.delivery = "told"
        report(isDelivered)
      }
      line.delivery = "open"
      const step = server("delivered", () => tell(true))
      delivered = () => {
        step.forget()
        tell(false)
      }
    }
  }

  let exchange: Exchange | null = null
  const connection = app.connected(() => {})
  kernel.plan({ label: "head", actor: name, touches: [client] }, () => {
    line.arrived = "head"
    exchange = connection.open({ method: request.method, target: request.target, headers: request.headers ?? [] }, sink)
    turns.wait(client, () => server("body", body, turns.after(client)))
    if (line.hasLeft) server("gone", gone)
  })
  const body = (): void => {
    // Word that the client has left may overtake the rest of its request.
    if (line.isGone) return
    line.arrived = "all"
    watch.arriving(line)
    exchange?.received(new TextEncoder().encode(String(request.body)))
    watch.arrived(line)
    turns.passed(client)
  }
  const gone = (): void => {
    line.isGone = true
    connection.closed()
    delivered?.()
  }
  return {
    line,
    leave({ isNoticed }) {
      line.hasLeft = true
      line.flight.length = 0
      take?.forget()
      // Nobody can go who has not come.
      if (line.arrived === "nothing") return
      if (isNoticed) gone()
      else server("gone", gone)
    }
  }
}

const freshLine = (client: string, attempt: number): Line => ({
  client,
  attempt,
  arrived: "nothing",
  status: null,
  flight: [],
  finished: null,
  delivery: null,
  received: "",
  hasEnd: false,
  hasLeft: false,
  isGone: false
})
