import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import type { FuzzClient, FuzzSetup, FuzzTurn } from "../../src/sim.ts"

const patience = { apiKey: "any", maxRetries: 2, timeout: 10_000, logLevel: "off" } as const

/** What a client does badly. */
export interface Habits {
  /** Takes a stream that broke off for an answer. */
  readonly isCredulous?: boolean
  /** Makes a turn that failed once more from its beginning, tools and all. */
  readonly repeatsTurns?: boolean
  /** Does not hand the signal of a turn on. */
  readonly isDeaf?: boolean
  /** Asks again at once, whatever the server asks for. */
  readonly isHasty?: boolean
  /** Has one place for the answers of all. */
  readonly isMixedUp?: boolean
  /** Forgets a turn that failed, and whoever waits for it. */
  readonly forgets?: boolean
  /** Shows all answers that it ever got. */
  readonly repeatsAnswers?: boolean
  /** Calls a tool that nobody asked for. */
  readonly isBusy?: boolean
  /** Gives up where there is no reason to. */
  readonly isTimid?: boolean
}

/** What the model said: words, or the tool that it wants. */
interface Said {
  readonly text: string
  readonly callId: string | null
}

/** One request of an agent and its answer; it remembers what was said in its turn. */
type Ask = (signal: AbortSignal) => Promise<Said>

/** An agent over the requests of some SDK, with habits. */
const agent =
  (
    begin: (
      setup: FuzzSetup,
      habits: Habits
    ) => (prompt: string) => {
      readonly ask: Ask
      readonly result: (id: string, text: string) => void
    },
    habits: Habits
  ): FuzzClient =>
  (setup) => {
    const turnOf = begin(setup, habits)
    let turns = 0
    let shown = ""

    const makeTurn = async ({ prompt, signal, callTool }: FuzzTurn): Promise<string> => {
      const turn = turnOf(prompt)
      for (;;) {
        const { text, callId } = await turn.ask(habits.isDeaf ? new AbortController().signal : signal)
        if (habits.isBusy) await callTool("call_of_nobody")
        shown += text
        if (callId === null && habits.repeatsAnswers) return shown
        if (callId === null) return habits.isMixedUp ? mixUp(text) : text
        turn.result(callId, await callTool(callId))
      }
    }
    return async (turn) => {
      if (habits.isTimid && ++turns > 1) throw new Error("enough for today")
      try {
        return await makeTurn(turn)
      } catch (error) {
        if (habits.forgets) return new Promise(() => {})
        if (turn.signal.aborted || !(habits.repeatsTurns || habits.isHasty)) throw error
        return makeTurn(turn)
      }
    }
  }

let newest = ""

const mixUp = async (text: string): Promise<string> => {
  newest = text
  await new Promise((resolve) => setTimeout(resolve, 5))
  return newest
}

/** An agent over chat completions of the openai SDK, streamed. */
export const chatAgent = (habits: Habits = {}): FuzzClient =>
  agent(({ baseURL, fetch }) => {
    const openai = new OpenAI({ ...patience, baseURL, fetch, ...(habits.isHasty ? { maxRetries: 0 } : {}) })
    const tools = [{ type: "function" as const, function: { name: "lookup", parameters: { type: "object" } } }]
    return (prompt) => {
      const messages: Array<OpenAI.ChatCompletionMessageParam> = [{ role: "user", content: prompt }]
      return {
        async ask(signal) {
          const stream = await openai.chat.completions.create({ model: "m", messages, tools, stream: true }, { signal })
          let text = ""
          let callId: string | null = null
          let isFinished = false
          for await (const { choices } of stream) {
            const [choice] = choices
            text += choice?.delta.content ?? ""
            callId = choice?.delta.tool_calls?.[0]?.id ?? callId
            isFinished ||= typeof choice?.finish_reason === "string"
          }
          if (!isFinished && !habits.isCredulous) throw new Error("the stream broke off")
          return { text, callId }
        },
        result(id, content) {
          const call = { id, type: "function" as const, function: { name: "lookup", arguments: "{}" } }
          messages.push({ role: "assistant", tool_calls: [call] }, { role: "tool", tool_call_id: id, content })
        }
      }
    }
  }, habits)

/** An agent over Responses of the openai SDK, without streams. */
export const responsesAgent = (habits: Habits = {}): FuzzClient =>
  agent(({ baseURL, fetch }) => {
    const openai = new OpenAI({ ...patience, baseURL, fetch })
    const parameters = { type: "object", properties: {} }
    const tools = [{ type: "function" as const, name: "lookup", parameters, strict: false }]
    return (prompt) => {
      const input: Array<OpenAI.Responses.ResponseInputItem> = [{ role: "user", content: prompt }]
      return {
        async ask(signal) {
          const { output, output_text } = await openai.responses.create({ model: "m", input, tools }, { signal })
          const call = output.find((item) => item.type === "function_call")
          return { text: output_text, callId: call?.call_id ?? null }
        },
        result(id, output) {
          input.push({ type: "function_call", call_id: id, name: "lookup", arguments: "{}" })
          input.push({ type: "function_call_output", call_id: id, output })
        }
      }
    }
  }, habits)

/** An agent over Messages of the Anthropic SDK, which puts the stream together. */
export const messagesAgent = (habits: Habits = {}): FuzzClient =>
  agent(({ origin, fetch }) => {
    const anthropic = new Anthropic({ ...patience, baseURL: origin, fetch })
    const tools = [{ name: "lookup", input_schema: { type: "object" as const } }]
    return (prompt) => {
      const messages: Array<Anthropic.MessageParam> = [{ role: "user", content: prompt }]
      return {
        async ask(signal) {
          const asked = { model: "m", max_tokens: 64, messages, tools }
          const { content } = await anthropic.messages.stream(asked, { signal }).finalMessage()
          const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []))
          const call = content.find((block) => block.type === "tool_use")
          return { text: texts.join(""), callId: call?.id ?? null }
        },
        result(id, content) {
          messages.push({ role: "assistant", content: [{ type: "tool_use", id, name: "lookup", input: {} }] })
          messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] })
        }
      }
    }
  }, habits)
