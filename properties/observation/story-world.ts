import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import type { HeldCall, HeldStream } from "../../src/inference/held-call.ts"
import type { MockInferenceServer } from "../../src/inference/server-api.ts"
import { startServer } from "../../src/inference/start-server.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import {
  makeVirtualHttp,
  type VirtualConnection,
  type VirtualHttp,
  type VirtualResponse
} from "../../src/sim/virtual-http.ts"
import type { Story } from "../model/story.ts"
import { makeSlowHttp, plainLifetime, type SlowHttp } from "./slow-http.ts"

/** A server in virtual time, with all that a story has done to it. */
export interface StoryWorld {
  readonly server: MockInferenceServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
  readonly slow: SlowHttp
  readonly clients: Array<StoryClient>
  readonly hands: Array<ReadonlyArray<HeldCall> | "waits" | "failed">
  /** Members of all scripts, in order of registration. */
  readonly handles: Array<ExpectationHandle>
  readonly streams: Map<HeldCall, HeldStream>
  readonly ends: Array<string>
  readonly said: Array<string>
}

export interface StoryClient {
  connection: VirtualConnection | null
  response: VirtualResponse | null
  /** The rest of its request. */
  arrive: (() => void) | null
}

export const startStoryWorld = (story: Story): StoryWorld => {
  const clock = makeVirtualClock()
  const http = makeVirtualHttp(clock)
  const slow = makeSlowHttp(http)
  let server: MockInferenceServer | null = null
  const options = { strict: story.isStrict, ...(story.isCounting ? { sessions: { retries: story.retries } } : {}) }
  startServer({ clock, http: slow.port, lifetime: plainLifetime() }, options, {
    started: (started) => {
      server = started
    },
    failed: (error) => {
      throw error
    }
  })
  clock.settle()
  if (server === null) throw new Error("the virtual server did not start")
  const clients = story.visits.map((): StoryClient => ({ connection: null, response: null, arrive: null }))
  const empty = { hands: [], handles: [], streams: new Map(), ends: [], said: [] }
  return { server, clock, http, slow, clients, ...empty }
}
