import type { MockInferenceServer } from "../../src/inference/server-api.ts"
import type { StoryView } from "../model/story.ts"
import type { StoryWorld } from "./story-world.ts"

/** What the server shows, in the model's words. */
export const seenStory = (world: StoryWorld): StoryView => {
  const { server, clients, hands, handles } = world

  return {
    clients: clients.map(({ connection, response }) =>
      connection === null
        ? null
        : {
            isOpen: connection.isOpen,
            status: response?.status ?? null,
            text: plainText(response?.text() ?? ""),
            ended: response?.ended ?? null
          }
    ),
    ends: world.ends,
    hands: hands.map((hand) =>
      typeof hand === "string" ? hand : hand.map(({ number, isGone }) => ({ number, isGone }))
    ),
    phases: handles.map(({ name, phase }) => `${name}: ${phase}`),
    leftovers: leftoversOf(server),
    said: world.said,
    settled: settlements(server),
    isClosed: server.traceEvents().some(({ type }) => type === "closed")
  }
}

/** By request; more than one of them are all there. */
const settlements = (server: MockInferenceServer): ReadonlyArray<string> => {
  const seen = Array.from({ length: server.requestCount() }, (): Array<string> => [])
  for (const event of server.traceEvents()) if (event.type === "settled") seen[event.request - 1]?.push(event.as)
  return seen.map((all) => (all.length === 0 ? "open" : all.join(", ")))
}

/** Without keep-alive comments; of answers in the form of an API the words that matter. */
export const plainText = (text: string): string => {
  const said = text.replaceAll(/^:\n\n/gm, "")
  if (!said.startsWith("{")) return said
  if (said.includes("nothing is scripted")) return "unexpected"
  return /said \d+/.exec(said)?.[0] ?? (said.includes("Echo: ") ? "echo" : said)
}

const leftoversOf = (server: MockInferenceServer): ReadonlyArray<string> => {
  try {
    server.verify()
    return []
  } catch (error) {
    const list: unknown = error instanceof Error && "leftovers" in error ? error.leftovers : undefined
    return Array.isArray(list) ? list.map((line) => inBrief(String(line))) : [String(error)]
  }
}

/** What a line is about, without reasons and places. */
const inBrief = (line: string): string => {
  const [, kind] = /^unexpected \/v1\/(responses|chat\/completions)/.exec(line) ?? []
  if (kind !== undefined) return `unexpected ${kind === "responses" ? "Responses" : "ChatCompletions"}`
  const [, call, what] = /^call (\d+) .* was (not answered|answered by a stream)/.exec(line) ?? []
  if (call !== undefined) return `call ${call}: ${what === "not answered" ? what : "stream"}`
  const [, count] = /^(?:next|gather)\(\d*\) at .* waits for (\d+) requests? more/.exec(line) ?? []
  return count === undefined ? line : `waits for ${count}`
}
