import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer as createPlainServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer, type TLSSocket } from "node:tls"
import { describe, expect, it, onTestFinished } from "vitest"
import { portOf } from "../../src/live/listening-port.ts"
import { makeLiveStreams } from "../../src/live/stream-sockets.ts"
import type { StreamPort, UpstreamAddress } from "../../src/ports/stream-port.ts"
import { connect, right } from "../ports/stream-world.ts"
import { startScript } from "../support/child-script.ts"
import { selfSigned } from "../support/self-signed.ts"

const own = selfSigned()

/** Starts a server on loopback, which is gone behind the test. */
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    onTestFinished(() => void server.close())
    server.listen(0, "127.0.0.1", () => resolve(portOf(server)))
  })

/** A server of TLS whose next socket can be had. */
const tlsServer = async () => {
  let taken: (socket: TLSSocket) => void = () => {}
  const accepted = new Promise<TLSSocket>((resolve) => {
    taken = resolve
  })
  const server = createServer({ ...own, allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {})
    onTestFinished(() => void socket.destroy())
    taken(socket)
  })
  const port = await listening(server)
  return { accepted, address: { kind: "tls", host: "localhost", port } as const }
}

const opened = async (streams: StreamPort, address: UpstreamAddress) => {
  const near = right(await connect(streams, address))
  onTestFinished(() => near.socket.destroy())
  return near
}

const once = (socket: TLSSocket, name: "end" | "close" | "error"): Promise<unknown> =>
  new Promise((resolve) => socket.once(name, resolve))

const received = (socket: TLSSocket, bytes: number): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      if (text.length >= bytes) resolve(text)
    })
  })

describe("sockets of TLS", () => {
  const streams = makeLiveStreams({ trusted: own.cert })

  it.each(["localhost", "127.0.0.1"])("carry bytes both ways to %s, whose certificate is for it", async (host) => {
    const { accepted, address } = await tlsServer()
    const near = await opened(streams, { ...address, host })
    const far = await accepted
    const long = "x".repeat(300_000)

    const got = received(far, long.length + 4)
    expect(await Promise.all([near.write("one "), near.write(long)])).toEqual([null, null])
    far.write("answer")

    expect(await got).toBe(`one ${long}`)
    await near.has(6)
    expect(near.text()).toBe("answer")
  })

  it("end in one direction, and go on in the other until it ends too", async () => {
    const { accepted, address } = await tlsServer()
    const near = await opened(streams, address)
    const far = await accepted
    const [got, ended] = [received(far, 10), once(far, "end")]
    near.write("last words")
    near.socket.end()
    expect(await got).toBe("last words")
    await ended

    far.end("answer")

    expect(await near.closed).toBeNull()
    expect(near.text()).toBe("answer")
    expect(near.reports).toEqual(["ended", "closed null"])
    expect(await near.write("too late")).toBe("closed")
    expect(streams.open().connections).toBe(0)
  })

  it("are reset as ports are", async () => {
    const { accepted, address } = await tlsServer()
    const near = await opened(streams, address)
    const far = await accepted
    const [got, broken] = [received(far, 5), once(far, "error")]
    far.write("hello")
    await near.has(5)
    near.write("hello")
    await got

    near.socket.reset()

    expect(await broken).toMatchObject({ code: "ECONNRESET" })
    expect(await near.closed).toBeNull()
    expect(near.reports).toEqual(["closed null"])
  })

  it("make a sender wait while nobody reads", async () => {
    const { accepted, address } = await tlsServer()
    const near = await opened(streams, address)
    const far = await accepted
    const bytes = 16 * 1_024 * 1_024
    near.socket.pause()
    let hasLeft = false
    far.write(Buffer.alloc(bytes), () => {
      hasLeft = true
    })
    const got = received(far, 9)
    await near.write("meanwhile")
    await got
    expect(hasLeft).toBe(false)

    near.socket.resume()

    await near.has(bytes)
    expect(near.received()).toBe(bytes)
  })

  it("are not opened to a server whose certificate nobody vouches for", async () => {
    const { address } = await tlsServer()

    expect(await connect(makeLiveStreams(), address)).toEqual({
      kind: "other",
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      reason: `the certificate of localhost:${address.port} is refused: self-signed certificate; NODE_EXTRA_CA_CERTS names a file with certificates to be trusted besides, read when Node starts`
    })
  })

  it("are not opened to a host for which the certificate is not", async () => {
    const { address } = await tlsServer()

    // Another name of this machine.
    const named = { ...address, host: "0.0.0.0" }

    const problem = await connect(makeLiveStreams({ trusted: own.cert, outside: named }), named)

    expect(problem).toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
      reason: expect.stringContaining(`the certificate of 0.0.0.0:${address.port} is refused: `)
    })
  })

  it("say it where somebody does not speak TLS, closes, or is not there", async () => {
    const answering = createPlainServer((socket) => {
      socket.on("error", () => {})
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")
    })
    const closing = createPlainServer((socket) => socket.destroy())
    const gone = createPlainServer()
    const at = async (server: Server) => ({ kind: "tls", host: "localhost", port: await listening(server) }) as const
    const [plain, closed, missing] = [await at(answering), await at(closing), await at(gone)]
    await new Promise((resolve) => gone.close(resolve))

    expect(await connect(streams, plain)).toMatchObject({
      kind: "other",
      reason: `localhost:${plain.port} does not speak TLS with us: wrong version number`
    })
    expect(await connect(streams, closed)).toMatchObject({
      kind: "other",
      reason: `localhost:${closed.port} has closed the connection before TLS was agreed on`
    })
    expect(await connect(streams, missing)).toMatchObject({ kind: "refused", code: "ECONNREFUSED" })
    expect(streams.open().connections).toBe(0)
  })

  it("trust what NODE_EXTRA_CA_CERTS names", async () => {
    const { accepted, address } = await tlsServer()
    void accepted.then((socket) => socket.end("hello"))
    const folder = mkdtempSync(join(tmpdir(), "us-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, "ca.pem")
    writeFileSync(file, own.cert)

    const script = await startScript("tls-client", [String(address.port)], { NODE_EXTRA_CA_CERTS: file })

    expect(await script.line()).toBe("hello")
  })
})

describe("addresses that are no loopback addresses", () => {
  const outside = { kind: "tls", host: "192.0.2.1", port: 443 } as const

  it.each([
    { ...outside, port: 444 },
    { ...outside, host: "192.0.2.2" },
    { ...outside, kind: "tcp" as const }
  ])("are refused but for the one that was named: $kind $host $port", async (address) => {
    expect(await connect(makeLiveStreams({ outside }), address)).toMatchObject({ kind: "not allowed" })
  })

  it("are refused to listeners, also the one that was named", async () => {
    const streams = makeLiveStreams({ outside: { ...outside, kind: "tcp" } })
    const failed = new Promise((resolve) => {
      const none = { received() {}, ended() {}, closed() {} }
      const address = { ...outside, kind: "tcp" } as const
      streams.listen(address, { bound: () => {}, failed: resolve, accepted: () => none, lost: () => {} })
    })

    expect(await failed).toMatchObject({ kind: "not allowed" })
  })

  it("are connected to where they were named", async () => {
    const server = createPlainServer((socket) => socket.end("hello"))
    // Another name of this machine, which is none of loopback.
    const named = { kind: "tcp", host: "0.0.0.0", port: await listening(server) } as const
    expect(await connect(makeLiveStreams(), named)).toMatchObject({ kind: "not allowed" })

    const near = await opened(makeLiveStreams({ outside: named }), named)

    await near.has(5)
    expect(near.text()).toBe("hello")
  })
})
