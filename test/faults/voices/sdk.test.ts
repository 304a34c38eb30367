import { describe, expect, it } from "vitest"
import { emptyTurn } from "../../../src/faults/catalogue/turns.ts"
import type { Turn, Voice } from "../../../src/faults/catalogue/voice.ts"
import { anthropic, anthropicJson, openAi, openAiJson } from "../../wire/sdk-clients.ts"
import { faithful, mock, parallelTurn, textOnly, thought } from "./written.ts"

const both: Turn = { ...textOnly, parts: [...thought.parts, ...textOnly.parts] }
const turns: Readonly<Record<string, Turn>> = {
  text: textOnly,
  "a thought and a text": both,
  "interleaved calls": parallelTurn,
  "a cut text": { ...textOnly, finish: "length" },
  "a filtered text": { ...textOnly, finish: "content_filter" },
  silence: emptyTurn
}

const reasons = { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens", content_filter: "refusal" } as const
const textIn = (turn: Turn) => (turn.parts.some(({ kind }) => kind === "text") ? "Sea calm" : "")
const argumentsIn = (turn: Turn) => (turn === parallelTurn ? ['{"m":40}', "{}"] : [])

const chatRequest = { model: "m", messages: [{ role: "user" as const, content: "hi" }] }
const messagesRequest = { ...chatRequest, max_tokens: 100 }
const responsesRequest = { model: "m", input: "hi" }

const families: Readonly<Record<string, (format: Voice["format"]) => Voice>> = {
  "the fault server": (format) => mock(format, { usagePlacement: "trailing" }),
  "the provider": (format) => faithful(format, { includeUsage: true })
}

for (const [family, voiceOf] of Object.entries(families)) {
  describe(`the official clients read from ${family}`, () => {
    for (const [name, turn] of Object.entries(turns)) {
      it(`${name} in chat`, async () => {
        const voice = voiceOf("chat")
        const stream = openAi(voice.events(turn)).chat.completions.stream(chatRequest)
        const whole = openAiJson(JSON.parse(voice.reply(turn))).chat.completions.create(chatRequest)

        for (const { choices, usage } of [await stream.finalChatCompletion(), await whole]) {
          expect(choices[0]?.message.content ?? "").toBe(textIn(turn))
          expect(choices[0]?.finish_reason).toBe(turn.finish)
          expect(
            (choices[0]?.message.tool_calls ?? []).map((call) => call.type === "function" && call.function.arguments)
          ).toEqual(argumentsIn(turn))
          expect(usage?.completion_tokens).toBe(turn.outputTokens)
        }
      })

      it(`${name} in Responses`, async () => {
        const voice = voiceOf("responses")
        const stream = openAi(voice.events(turn)).responses.stream(responsesRequest)
        const whole = openAiJson(JSON.parse(voice.reply(turn))).responses.create(responsesRequest)

        for (const { output, output_text: text, status, usage } of [await stream.finalResponse(), await whole]) {
          expect(text).toBe(textIn(turn))
          expect(output.flatMap((item) => (item.type === "function_call" ? [item.arguments] : []))).toEqual(
            argumentsIn(turn)
          )
          expect(status).toBe(["stop", "tool_calls"].includes(turn.finish) ? "completed" : "incomplete")
          expect(usage?.output_tokens).toBe(turn.outputTokens)
        }
      })

      it(`${name} in Messages`, async () => {
        const voice = voiceOf("messages")
        const stream = anthropic(voice.events(turn)).messages.stream(messagesRequest)
        const whole = anthropicJson(JSON.parse(voice.reply(turn))).messages.create(messagesRequest)

        for (const { content, stop_reason: reason, usage } of [await stream.finalMessage(), await whole]) {
          expect(content.map((block) => (block.type === "text" ? block.text : "")).join("")).toBe(textIn(turn))
          expect(content.flatMap((block) => (block.type === "tool_use" ? [JSON.stringify(block.input)] : []))).toEqual(
            argumentsIn(turn)
          )
          expect(reason).toBe(reasons[turn.finish])
          expect(usage.output_tokens).toBe(turn.outputTokens)
        }
      })
    }

    it("an error in the band of each format", async () => {
      // One after the other: a helper that fails while nobody waits for it is an unhandled rejection.
      await expect(
        openAi([voiceOf("chat").errorEvent("boom")])
          .chat.completions.stream(chatRequest)
          .finalChatCompletion()
      ).rejects.toThrow("boom")
      await expect(
        anthropic([voiceOf("messages").errorEvent("boom")])
          .messages.stream(messagesRequest)
          .finalMessage()
      ).rejects.toThrow("overloaded_error")
      await expect(
        openAi([voiceOf("responses").announcement(), voiceOf("responses").errorEvent("boom")])
          .responses.stream(responsesRequest)
          .finalResponse()
      ).rejects.toMatchObject({ message: "boom" })
    })
  })
}

it("the chat client refuses the minimal shape, which has no role", async () => {
  const voice = mock("chat", { chunkShape: "minimal" })

  await expect(
    openAi(voice.events(textOnly)).chat.completions.stream(chatRequest).finalChatCompletion()
  ).rejects.toThrow("missing role for choice 0")
})
