import fc from "fast-check"
import { exchanges, type WrittenExchange } from "./http-messages.ts"

/** What two sides say, a letter for a byte. */
export interface Said {
  readonly request: { readonly text: string }
  readonly response: { readonly text: string }
}

/** A connection on which something else than HTTP is asked for. */
export interface AskedTunnel {
  readonly before: ReadonlyArray<WrittenExchange>
  /** The request for it, which stands nowhere else, and its answer, both up to the ends of their bodies. */
  readonly asking: Said
  /** What is sent with them of a granted one, in the same writes. */
  readonly hasty: Said
  /** What is said behind a granted one: any bytes. */
  readonly raw: ReadonlyArray<Said>
  /** What is said behind a refused one. */
  readonly after: ReadonlyArray<WrittenExchange>
  readonly isGranted: boolean
  /** Heads that are no answers yet. */
  readonly informed: number
  /** Frames that the bodies of the request and of a refusal are. */
  readonly bodies: { readonly request: number; readonly response: number }
}

/** Any bytes; some look like what they are not. */
const rawTexts = fc
  .array(
    fc.oneof(
      fc.array(fc.nat(255), { minLength: 1, maxLength: 12 }).map((bytes) => String.fromCharCode(...bytes)),
      fc.constantFrom(
        "\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nAccept-Encoding: br\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n",
        "5\r\nhello\r\n0\r\n\r\n"
      )
    ),
    { minLength: 1, maxLength: 4 }
  )
  .map((pieces) => pieces.join(""))

const said: fc.Arbitrary<Said> = fc.record({
  request: fc.record({ text: rawTexts }),
  response: fc.record({ text: rawTexts })
})

const nothing: Said = { request: { text: "" }, response: { text: "" } }

const requestTexts = fc.constantFrom(
  { isConnect: true, text: "CONNECT tunnel.test:443 HTTP/1.1\r\nHost: tunnel.test\r\n\r\n", bodies: 0 },
  { isConnect: false, text: "GET /tunnel HTTP/1.1\r\nHost: a.test\r\nUpgrade: raw\r\n\r\n", bodies: 0 },
  {
    isConnect: false,
    text: "POST /tunnel HTTP/1.1\r\nHost: a.test\r\nupgrade: raw\r\nContent-Length: 3\r\n\r\nabc",
    bodies: 1
  }
)

/** Behind a head that grants there is no body, whatever it says of one. */
const grants = fc.constantFrom("Connection: upgrade\r\n", "Content-Length: 7\r\n", "Transfer-Encoding: chunked\r\n", "")

/** A chunk of one byte goes on as it is. */
const refusals = fc.constantFrom(
  { text: "HTTP/1.1 426 No\r\nContent-Length: 4\r\n\r\nno!!", bodies: 1 },
  { text: "HTTP/1.1 407 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n!\r\n0\r\n\r\n", bodies: 1 },
  { text: "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", bodies: 0 }
)

/** Exchanges, then a request for a tunnel, and what follows its answer. */
export const askedTunnels: fc.Arbitrary<AskedTunnel> = fc
  .record({
    drawn: exchanges,
    request: requestTexts,
    grant: grants,
    refusal: refusals,
    isGranted: fc.boolean(),
    isInformed: fc.boolean(),
    hasty: fc.option(said, { nil: nothing }),
    raw: fc.array(said, { minLength: 1, maxLength: 3 }),
    after: exchanges
  })
  .map(({ drawn, request, grant, refusal, isGranted, isInformed, hasty, raw, after }) => {
    const granted = `HTTP/1.1 ${request.isConnect ? "200" : "101"} Yes\r\n${grant}\r\n`
    const informed = isInformed ? "HTTP/1.1 103 x\r\n\r\n" : ""
    return {
      // The last one may go up to the end of the connection.
      before: drawn.slice(0, -1),
      asking: {
        request: { text: request.text },
        response: { text: informed + (isGranted ? granted : refusal.text) }
      },
      hasty: isGranted ? hasty : nothing,
      raw: isGranted ? raw : [],
      after: isGranted ? [] : after,
      isGranted,
      informed: isInformed ? 1 : 0,
      bodies: { request: request.bodies, response: isGranted ? 0 : refusal.bodies }
    }
  })
