import { fetch as undiciFetch } from "undici"
import { describe, expect, test } from "vitest"
import { faultNames } from "../../src/domain/fault-names.ts"
import type { FaultOptions } from "../../src/domain/fault-options.ts"
import { startFaultServer } from "../../src/faults.ts"
import { simDispatcher } from "../../src/sim/transport-dispatcher.ts"
import { makeSimHttp } from "../../src/sim/transport-http.ts"
import { kernelOf, runMain, startFaulty } from "./transport-world.ts"

/** What a client sees of one answer. */
interface Seen {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: ReadonlyArray<readonly [string, string]>
  readonly text?: string
  readonly error?: unknown
}

type AnyFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal; redirect: "manual" }
) => Promise<{
  readonly status: number
  readonly statusText: string
  readonly headers: { entries(): IterableIterator<[string, string]> }
  readonly body: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } } | null
}>

const nameOf = (error: unknown): unknown => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return {
    name: error.name,
    message: error.message,
    ...(cause instanceof Error
      ? { cause: { name: cause.name, message: cause.message, code: Reflect.get(cause, "code") } }
      : {})
  }
}

/** Gives up in silence: `moved` is told whenever something came. */
interface Patience {
  readonly signal: AbortSignal
  moved(): void
}

/** Asks once and reads as far as it goes. */
const see = async (
  fetch: AnyFetch,
  url: string,
  { isStream, patience }: { readonly isStream: boolean; readonly patience: Patience }
): Promise<Seen> => {
  const body = JSON.stringify({ model: "mock", messages: [], stream: isStream })
  let seen: Seen = {}
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: patience.signal,
      redirect: "manual"
    })
    const headers = [...response.headers.entries()].filter(([name]) => !["date", "retry-after"].includes(name))
    seen = { status: response.status, statusText: response.statusText, headers }
    patience.moved()
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    let text = ""
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return seen
      text += decoder.decode(value, { stream: true })
      seen = { ...seen, text }
      patience.moved()
    }
  } catch (error) {
    return { ...seen, error: nameOf(error) }
  }
}

const terms: FaultOptions = { chunkDelayMs: 1, disconnectDelayMs: 8, headDelayMs: 5, heartbeatMs: 10_000 }

/** These are silent: their clients give up. */
const silent = new Set(["stall", "no_response", "partial_stall", "comment_stall", "hold_open", "vanish"])

const patienceMs = 150

/** Only silent faults are given up; `arm` is the timer of the world at hand. */
const patienceFor = (name: string, arm: (ms: number, fire: () => void) => () => void): Patience => {
  const giveUp = new AbortController()
  let forget = (): void => {}
  const moved = (): void => {
    forget()
    if (silent.has(name)) forget = arm(patienceMs, () => giveUp.abort())
  }
  if (name === "no_response") moved()
  return { signal: giveUp.signal, moved }
}

const seenLive = (port: number, name: string, isStream: boolean): Promise<Seen> =>
  see((url, init) => undiciFetch(url, init), `http://127.0.0.1:${port}/v1/chat/completions`, {
    isStream,
    patience: patienceFor(name, (ms, fire) => {
      const timer = setTimeout(fire, ms)
      return () => clearTimeout(timer)
    })
  })

const seenSimulated = async (
  name: string,
  options: { isStream: boolean; over: "fetch" | "dispatcher" },
  settings: FaultOptions
): Promise<Seen> => {
  const kernel = kernelOf()
  const http = makeSimHttp(kernel)
  return await runMain(kernel, async () => {
    const server = await startFaulty(kernel, http.port, { sequence: [name], chunkShape: "complete", ...settings })
    const patience = patienceFor(name, (ms, fire) =>
      kernel.plan(ms, { kind: "timer", label: "giveUp", actor: "c1" }, fire)
    )
    const dispatcher = simDispatcher(http.client("c1"))
    const over: AnyFetch =
      options.over === "fetch" ? http.fetch("c1") : (url, init) => undiciFetch(url, { ...init, dispatcher })
    return await see(over, `http://127.0.0.1:${server.port}/v1/chat/completions`, {
      isStream: options.isStream,
      patience
    })
  })
}

const names = faultNames
const variants = [
  ...names.map((name) => ({ name, settings: terms })),
  ...(["connection_reset", "stream_disconnect", "partial_disconnect", "cut_at_byte"] as const).map((name) => ({
    name,
    settings: { ...terms, resetMode: "rst" as const }
  }))
]

describe("Every fault of the catalogue", () => {
  const kinds = [true, false].flatMap((isStream) =>
    variants.map(({ name, settings }) => ({
      name,
      settings,
      isStream,
      what: `${name}${"resetMode" in settings ? " by reset" : ""}, ${isStream ? "streamed" : "whole"}`
    }))
  )

  test.each(kinds)("looks over the simulated network as over a socket: $what", async ({ name, settings, isStream }) => {
    const server = await startFaultServer({ sequence: [name], chunkShape: "complete", ...settings })
    const real = await seenLive(server.port, name, isStream)
    await server.close()

    expect(await seenSimulated(name, { isStream, over: "fetch" }, settings)).toEqual(real)
    expect(await seenSimulated(name, { isStream, over: "dispatcher" }, settings)).toEqual(real)
  })
})
