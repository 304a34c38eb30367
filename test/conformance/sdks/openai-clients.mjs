import { clientsOf } from "../check.mjs"

/** The official OpenAI SDK: the pinned version, and the others when they are installed. */
export const openaiClients = await clientsOf("openai", [
  { name: "6.49.0", major: 6, set: "sdks", package: "openai" },
  { name: "4.104.0", major: 4, set: "versions", package: "openai-4" },
  { name: "7.59.0", major: 7, set: "versions", package: "openai-7" }
])

export const connect = ({ sdk }, server, options = {}) =>
  new sdk.OpenAI({ apiKey: "k", baseURL: server.url(), ...options })

/** Where the chat helpers are. */
export const chatHelpers = ({ major }, api) => (major === 4 ? api.beta.chat.completions : api.chat.completions)

/** What an error says that came of a connection which was reset after the head. */
export const resetMessage = ({ major }) => (major === 4 ? /premature close|ECONNRESET/i : /terminated/)
