import { Duplex } from "node:stream"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { ByteEnd } from "./byte-pair.ts"
import type { Dial } from "./link-network.ts"
import { transportErrors } from "./transport-errors.ts"
import type { SocketWatch } from "./transport-watched.ts"

/** A socket of a simulated network, with what parsers of HTTP ask of one of Node. */
export interface SimSocket extends Duplex {
  /** Ends it when everything has left. */
  destroySoon(): void
  resetAndDestroy(): SimSocket
  ["setTimeout"](ms: number, fire?: () => void): SimSocket
  /** Whether the other side ended or reset it. */
  readonly isEndedByPeer: boolean
  /** Neither end ever hears of the other again. */
  vanish(): void
}

/** What a socket is made of. */
export interface SocketParts {
  readonly kernel: SimKernel
  readonly end: ByteEnd
  /** Where the other side is. */
  readonly remote: Pick<Dial, "host" | "port">
  /** Servers of HTTP end their side themselves. */
  readonly allowHalfOpen: boolean
  /** Who sees what happens here. */
  readonly watch?: SocketWatch | undefined
}

/** @since 0.1.0 @category constructors */
export const makeSimSocket = (parts: SocketParts): SimSocket => new EndSocket(parts)

/** A class, because streams of Node are made that way; half of its members are there because `node:http` or undici calls them. */
class EndSocket extends Duplex implements SimSocket {
  readonly connecting = false
  readonly encrypted = false
  readonly remoteFamily = "IPv4"
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress = "127.0.0.1"
  readonly localPort = 1
  bytesWritten = 0
  bytesRead = 0
  isEndedByPeer = false
  timeout = 0
  readonly #kernel: SimKernel
  readonly #end: ByteEnd
  readonly #watch: SocketWatch | undefined
  #written: (() => void) | null = null
  #forgetTimer = (): void => {}
  #usedAt = 0

  constructor({ kernel, end, remote, allowHalfOpen, watch }: SocketParts) {
    super({ allowHalfOpen, emitClose: true })
    this.#kernel = kernel
    this.#end = end
    this.#watch = watch
    this.remoteAddress = remote.host
    this.remotePort = remote.port
    end.read({
      data: (bytes) => {
        this.#used()
        this.bytesRead += bytes.byteLength
        watch?.arrived(bytes)
        if (!this.push(bytes)) end.pause()
      },
      fin: () => {
        this.isEndedByPeer = true
        watch?.ended()
        this.push(null)
      },
      rst: () => {
        this.isEndedByPeer = true
        watch?.reset()
        this.destroy(transportErrors.reset())
      },
      room: () => this.#hasRoom()
    })
  }

  override _read(): void {
    this.#end.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#used()
    this.bytesWritten += chunk.byteLength
    if (chunk.byteLength === 0) {
      done()
      return
    }
    // What is written may be changed by its writer as soon as it is told.
    const bytes = Uint8Array.from(chunk)
    this.#watch?.wrote(bytes)
    if (this.#end.send(bytes, bytes.byteLength)) done()
    else this.#written = done
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#end.finish()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#forgetTimer()
    this.#written = null
    this.#watch?.closed(error)
    this.#end.close()
    done(error)
  }

  #hasRoom(): void {
    const done = this.#written
    this.#written = null
    done?.()
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once("finish", () => this.destroy())
  }

  resetAndDestroy(): this {
    this.#end.reset()
    return this.destroy()
  }

  vanish(): void {
    this.#end.vanish()
  }

  // A member of the sockets of Node; by its quotes the tidy rules tell it from the global.
  ["setTimeout"](ms: number, fire?: () => void): this {
    this.#forgetTimer()
    this.timeout = ms
    if (fire !== undefined && ms > 0) this.once("timeout", fire)
    else if (fire !== undefined) this.removeListener("timeout", fire)
    if (ms > 0) this.#arm(ms)
    return this
  }

  #arm(ms: number): void {
    const armedAt = this.#kernel.now()
    this.#forgetTimer = this.#kernel.plan(ms, { kind: "timer", label: "net/timeout", actor: this.#end.actor }, () => {
      const left = this.#usedAt + ms - this.#kernel.now()
      if (this.#usedAt > armedAt && left > 0) this.#arm(left)
      else this.emit("timeout")
    })
  }

  #used(): void {
    this.#usedAt = this.#kernel.now()
  }

  address(): { readonly address: string; readonly port: number; readonly family: string } {
    return { address: this.localAddress, port: this.localPort, family: this.remoteFamily }
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
