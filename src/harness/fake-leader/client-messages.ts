import type { FakeLeaderPeerEvent } from "../../../machines/fake-leader-peer.machine.ts"
import { isRecord, member } from "../../domain/json.ts"

/** What a client said; a `problem` says why it is no message. */
export type ClientMessage = Extract<
  FakeLeaderPeerEvent,
  { readonly type: "register" | "acp" | "control" | "ping" | "disconnect" | "unknown" }
>

/**
 * Reads the body of a frame that a client has sent.
 *
 * **Fails** never
 * **Source** agent-harness.md, section 5.1, "IPC messages"
 *
 * @since 0.1.0
 * @category encoding
 */
export const readClientMessage = (body: Uint8Array): ClientMessage | { readonly problem: string } => {
  const value = parsed(body)
  const type = member(value, "type")
  if (!isRecord(value) || typeof type !== "string") return { problem: "a message is a JSON object with a type" }
  return Object.hasOwn(readers, type) ? (readers[type]?.(value) ?? { type: "unknown" }) : { type: "unknown" }
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

type Fields = Readonly<Record<string, unknown>>

const readers: Readonly<Record<string, (message: Fields) => ReturnType<typeof readClientMessage>>> = {
  register(message) {
    const { client_type: clientType, mode, capabilities } = message
    if (typeof clientType !== "string") return { problem: "a register needs a client_type" }
    if (mode !== "headless" && mode !== "stdio") return { problem: 'the mode of a register is "headless" or "stdio"' }
    const version = member(capabilities, "client_version")
    return {
      type: "register",
      introduction: { clientType, mode, version: typeof version === "string" ? version : null }
    }
  },
  acp({ payload }) {
    return typeof payload === "string"
      ? { type: "acp", payload }
      : { problem: "an acp needs a payload, which is a text" }
  },
  control({ request_id: requestId, command }) {
    if (typeof requestId !== "string") return { problem: "a control needs a request_id, which is a text" }
    return { type: "control", requestId, command }
  },
  ping: () => ({ type: "ping" }),
  disconnect: () => ({ type: "disconnect" })
}
