import type { MockInferenceServer } from "../../src/index.ts"
import { ScriptedResponse } from "../../src/index.ts"
import type { Oracle } from "../../src/oracles/monitor.ts"
import type { CorpusProgram } from "./corpus-bug.ts"
import type { AskModel, SdkCall } from "./sdk-calls.ts"
import { watchCalls } from "./watch-client.ts"

/** A workload that knows of no bug: clients that talk to a model, each one turn after the other. */
export interface Chat {
  readonly ask: AskModel
  readonly oracles: ReadonlyArray<Oracle>
  /** What the server may answer, the calm answer first; the search draws one for each request of the beginning. */
  readonly answers?: ReadonlyArray<() => ScriptedResponse>
  /** After how many milliseconds a call may be aborted, drawn for each; `null`, the first, is never. */
  readonly abortsMs?: ReadonlyArray<number | null>
  /** More of each call. */
  readonly also?: (call: SdkCall) => Partial<SdkCall>
  /** Looks at what the server saw, when all is over. */
  readonly judge?: (server: MockInferenceServer) => void
}

const names = ["ann", "bob"] as const
const turns = 2
/** The server answers so many requests as was drawn, and all others well. */
const drawnAnswers = 6

const paths = ["/v1/chat/completions", "/v1/messages"] as const

/** An ordinary day. */
export const chat =
  ({ ask, oracles, answers, abortsMs, also, judge }: Chat): CorpusProgram =>
  async (world) => {
    const server = await world.startServer()
    if (answers !== undefined) {
      for (let index = 0; index < drawnAnswers; index++) {
        const answer = answers[world.choice.draw(answers.length, "answers/next")] ?? good
        for (const path of paths) server.enqueueResponse(path, answer())
      }
    }
    const watch = watchCalls(world, oracles)

    const turn = (name: (typeof names)[number], client: ReturnType<typeof watch.client>, prompt: string) =>
      client.call(async (told) => {
        const controller = new AbortController()
        const ms = abortsMs?.[world.choice.draw(abortsMs.length, `${name}/abort`)] ?? null
        const abort = (): void => {
          told.aborted()
          controller.abort()
        }
        const timer = ms === null ? undefined : setTimeout(abort, ms)
        const call: SdkCall = { client, origin: server.origin(), prompt, told, signal: controller.signal }
        try {
          await ask({ ...call, ...also?.(call) })
        } finally {
          clearTimeout(timer)
        }
      })

    await Promise.all(
      names.map((name) =>
        world.as(name, async () => {
          const client = watch.client(name)
          for (let count = 1; count <= turns; count++) await turn(name, client, `${name}, question ${count}`)
        })
      )
    )
    watch.check()
    judge?.(server)
  }

/** What a provider answers on a good day. */
export const good = (): ScriptedResponse => ScriptedResponse.fault("success")
/** The same, slowly. */
export const slow = (): ScriptedResponse => ScriptedResponse.fault("slow_success", { chunkDelayMs: 200 })
export const overloaded = (): ScriptedResponse => ScriptedResponse.fault("service_unavailable")
export const broken = (): ScriptedResponse => ScriptedResponse.fault("server_error")
export const reset = (): ScriptedResponse => ScriptedResponse.fault("connection_reset")

/** 429, and after how many seconds to come again. */
export const limited = (seconds: number) => (): ScriptedResponse => ({
  ...ScriptedResponse.json(429, { error: { type: "rate_limit_error", message: "slow down" } }),
  headers: [["retry-after", String(seconds)]]
})
