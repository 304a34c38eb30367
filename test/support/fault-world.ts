import { onTestFinished } from "vitest"
import { type FaultEvent, type FaultServer, type FaultServerOptions, startFaultServer } from "../../src/faults.ts"
import { startVirtualFaultServer, type VirtualConnection, type VirtualResponse } from "../../src/sim.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"
import { openRaw, type RawClient, rawPost } from "./live-world.ts"

/** The body that scenarios send unless they say otherwise. */
export const faultBody = { model: "mock", messages: [], stream: true }

/** How a request of a scenario differs from the usual one. */
export interface FaultAsk {
  readonly method?: string
  readonly path?: string
  readonly headers?: ReadonlyArray<readonly [string, string]>
  /** A text is sent as it is. */
  readonly body?: unknown
  readonly on?: VirtualConnection
}

/** A fault server in virtual time and what it told. */
export interface VirtualFaults {
  readonly server: FaultServer
  readonly clock: ReturnType<typeof startVirtualFaultServer>["clock"]
  readonly http: ReturnType<typeof startVirtualFaultServer>["http"]
  readonly told: ReadonlyArray<FaultEvent>
  /** Sends a request; nothing comes back before the clock settles. */
  ask(request?: FaultAsk): VirtualResponse
  /** Sends a request and lets happen what needs no time. */
  answer(request?: FaultAsk): VirtualResponse
}

type VirtualOptions = Parameters<typeof startVirtualFaultServer>[0]

/** Starts a fault server in the minimal chunk shape of the baseline, unless told otherwise. */
export const virtualFaults = (options: VirtualOptions): VirtualFaults => {
  const told: Array<FaultEvent> = []
  const { server, clock, http } = startVirtualFaultServer({
    chunkShape: "minimal",
    onEvent: (event) => {
      told.push(event)
    },
    ...options
  })
  const ask = ({ method = "POST", path = "/v1/chat/completions", headers = [], body = faultBody, on }: FaultAsk = {}) =>
    (on ?? http.connect()).request({
      method,
      target: path,
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
  return {
    server,
    clock,
    http,
    told,
    ask,
    answer(request) {
      const response = ask(request)
      clock.settle()
      return response
    }
  }
}

/** The texts of the chat deltas that arrived. */
export const pieces = (response: VirtualResponse): ReadonlyArray<string> =>
  payloads(response).flatMap((payload) => {
    const content = at(payload, "choices", 0, "delta", "content")
    return typeof content === "string" && content !== "" ? [content] : []
  })

/** The JSON payloads of the events that arrived, `[DONE]` left out. */
export const payloads = (response: VirtualResponse): ReadonlyArray<unknown> =>
  readEvents(response.text())
    .filter(({ data }) => data !== "[DONE]")
    .map(({ data }) => JSON.parse(data))

/** What stands at a path of keys, `undefined` where nothing stands. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((found, key) => {
    if (typeof found !== "object" || found === null) return undefined
    return Reflect.get(found, key)
  }, value)

/** The value of a header, `undefined` when it is absent. */
export const headerOf = (response: VirtualResponse, name: string): string | undefined =>
  response.headers.find(([header]) => header === name)?.[1]

/** A fault server on a real port; it is closed when the test is over. */
export const liveFaults = async (
  options: FaultServerOptions
): Promise<{ readonly server: FaultServer; open(): RawClient; exchange(text?: string): Promise<string> }> => {
  const server = await startFaultServer({ chunkShape: "minimal", ...options })
  onTestFinished(async () => {
    await server.close()
  })
  const open = (): RawClient => openRaw(server.port)
  return {
    server,
    open,
    exchange(text = faultPost()) {
      const client = open()
      client.write(text)
      return client.readToEnd()
    }
  }
}

/** The usual request as bytes. */
export const faultPost = (headers: ReadonlyArray<string> = [], path = "/v1/chat/completions"): string =>
  rawPost(path, JSON.stringify(faultBody), headers)

/** The body of a chunked HTTP message: its chunks, and whether it was terminated. */
export const chunksOf = (message: string): { readonly chunks: ReadonlyArray<string>; readonly isComplete: boolean } => {
  const start = message.indexOf("\r\n\r\n") + 4
  const chunks: Array<string> = []
  let position = start
  while (position < message.length) {
    const end = message.indexOf("\r\n", position)
    if (end < 0) break
    const size = Number.parseInt(message.slice(position, end), 16)
    if (size === 0) return { chunks, isComplete: true }
    chunks.push(message.slice(end + 2, end + 2 + size))
    position = end + 2 + size + 2
  }
  return { chunks, isComplete: false }
}

/** A fault server on a real port whose clock stands still, and what it told. */
export interface ToldFaults {
  readonly server: FaultServer
  readonly told: ReadonlyArray<FaultEvent>
  /** Waits until so many events of a type were told; gives the last of them. */
  tell<Type extends FaultEvent["type"]>(
    type: Type,
    count?: number
  ): Promise<Extract<FaultEvent, { readonly type: Type }>>
}

/** Starts one in the default chunk shape that tells everything; it is closed when the test is over. */
export const toldFaults = async (options: FaultServerOptions): Promise<ToldFaults> => {
  const told: Array<FaultEvent> = []
  const looks = new Set<() => void>()
  const server = await startFaultServer({
    clock: "manual",
    telemetry: "full",
    onEvent(event) {
      told.push(event)
      for (const look of looks) look()
    },
    ...options
  })
  onTestFinished(async () => {
    await server.close()
  })
  return {
    server,
    told,
    tell: (type, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const event = told.filter(isOf(type))[count - 1]
          if (event === undefined) return
          looks.delete(look)
          resolve(event)
        }
        looks.add(look)
        look()
      })
  }
}

const isOf =
  <Type extends FaultEvent["type"]>(type: Type) =>
  (event: FaultEvent): event is Extract<FaultEvent, { readonly type: Type }> =>
    event.type === type
