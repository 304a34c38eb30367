import { clientsOf } from "../check.mjs"

/** The official Anthropic SDK: the pinned version, and the others when they are installed. */
export const anthropicClients = await clientsOf("anthropic", [
  { name: "1.14.0", isNew: true, set: "sdks", package: "@anthropic-ai/sdk" },
  { name: "0.137.0", set: "versions", package: "anthropic-0-137" },
  { name: "0.39.0", isOldest: true, set: "versions", package: "anthropic-0-39" }
])

export const connect = ({ sdk }, server, options = {}) =>
  new sdk.Anthropic({ apiKey: "k", baseURL: server.origin(), ...options })

/** Written on another basis than the rest: no tool runner, other names in errors, no input of the provider's own tools. */
export const isOldest = (client) => client.isOldest === true

/** What an error says that came of a connection which was reset after the head. */
export const resetMessage = (client) => (isOldest(client) ? /premature close|ECONNRESET/i : /terminated/)
