import { isRecord, member } from "../../domain/json.ts"

/**
 * What a leader says to its clients, as far as one of them cares.
 *
 * @since 0.1.0
 * @category models
 */
export type LeaderMessage =
  | { readonly kind: "registered"; readonly isReady: boolean; readonly version: string | null }
  | { readonly kind: "ready" }
  | { readonly kind: "acp"; readonly payload: string }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "other" }

/**
 * Reads the body of a frame that a leader has sent.
 *
 * **Gives** `other` for what it does not know, and for what is no message
 * **Source** agent-harness.md, section 5.1, "IPC messages"
 *
 * @since 0.1.0
 * @category encoding
 */
export const readLeaderMessage = (body: Uint8Array): LeaderMessage => {
  const value = parsed(body)
  const type = member(value, "type")
  if (!isRecord(value) || typeof type !== "string" || !Object.hasOwn(readers, type)) return { kind: "other" }
  return readers[type]?.(value) ?? { kind: "other" }
}

const readers: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => LeaderMessage>> = {
  registered({ ready, leader_binary_version: version }) {
    return { kind: "registered", isReady: ready !== false, version: typeof version === "string" ? version : null }
  },
  leader_ready: () => ({ kind: "ready" }),
  acp: ({ payload }) => (typeof payload === "string" ? { kind: "acp", payload } : { kind: "other" }),
  error: ({ code, message }) => ({ kind: "refused", message: `${String(message)} (${String(code)})` })
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
