import { isRecord, member } from "../../domain/json.ts"
import { controlProtocolVersion } from "../../domain/leader-ipc-limits.ts"
import { frameBodyBytesMax } from "../../wire/frames/length-prefixed.ts"
import type { JsonObject } from "../../wire/json.ts"

/** What a fake leader can do with a client of its. */
export interface FakeLeaderClient {
  /** The number of the client, from 1. */
  readonly id: number
  say(message: JsonObject): void
  /** Writes bytes that need not be a frame. */
  write(bytes: Uint8Array): void
  /** Closes the connection behind what was written. */
  close(): void
}

/** How a fake leader behaves. What it does not answer is left unanswered for ever. */
export interface FakeLeaderBehaviour {
  accepted?(client: FakeLeaderClient): void
  /** A client sent a message; what is no object is `{}`. */
  heard?(client: FakeLeaderClient, message: JsonObject): void
}

/** What a fake leader says of itself. */
export interface FakeLeaderIdentity {
  /** Default 1. */
  readonly protocolVersion?: number
  /** Default `1.0.0`. */
  readonly binaryVersion?: string
  /** Default `control_v1` and `relaunch_v1`. */
  readonly capabilities?: JsonObject
}

/**
 * Leaders that go wrong in one way, and one that does not. None of them has a timer: they stall until they are closed.
 *
 * **Source** agent-harness.md, section 5.8
 *
 * @since 0.1.0
 * @category services
 */
export const fakeLeaders = {
  /** Registers clients, answers pings and the two commands, and takes what is for the agent without an answer. */
  normal: (identity: FakeLeaderIdentity = {}): FakeLeaderBehaviour => ({
    heard(client, message) {
      const answer = answerTo(client, message, identity)
      if (answer !== null) client.say(answer)
      if (message["type"] === "disconnect") client.close()
    }
  }),
  /** Takes connections, reads, and says nothing. */
  silentAfterAccept: (): FakeLeaderBehaviour => ({}),
  /** Registers clients, and never becomes ready. */
  readyFalseForever: (identity: FakeLeaderIdentity = {}): FakeLeaderBehaviour => ({
    heard(client, { type }) {
      if (type === "register") client.say(registered(client, identity, false))
    }
  }),
  /** Answers a register with so many bytes of the prefix of a frame of 1,024, at most its four. */
  partialFrame: (bytes: number): FakeLeaderBehaviour =>
    onRegister((client) => client.write(prefix(1_024).slice(0, bytes))),
  /** Answers a register with a frame that holds no message. */
  garbageFrame: (): FakeLeaderBehaviour =>
    onRegister((client) => {
      const body = new TextEncoder().encode("this is not json")
      client.write(prefix(body.byteLength))
      client.write(body)
    }),
  /** Registers a client, and closes the connection. */
  closeAfterRegister: (identity: FakeLeaderIdentity = {}): FakeLeaderBehaviour =>
    onRegister((client) => {
      client.say(registered(client, identity, true))
      client.close()
    }),
  /** Answers a register with the prefix of a frame that is too long; by default by one byte. */
  oversizeLength: (length: number = frameBodyBytesMax + 1): FakeLeaderBehaviour =>
    onRegister((client) => client.write(prefix(length)))
} as const

const onRegister = (answer: (client: FakeLeaderClient) => void): FakeLeaderBehaviour => ({
  heard(client, { type }) {
    if (type === "register") answer(client)
  }
})

const prefix = (length: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, length)
  return bytes
}

const registered = (client: FakeLeaderClient, identity: FakeLeaderIdentity, ready: boolean): JsonObject => ({
  type: "registered",
  client_id: client.id,
  ready,
  leader_protocol_version: identity.protocolVersion ?? controlProtocolVersion,
  leader_binary_version: identity.binaryVersion ?? binaryVersionDefault,
  leader_capabilities: identity.capabilities ?? { control_v1: true, relaunch_v1: true }
})

const binaryVersionDefault = "1.0.0"

const answerTo = (client: FakeLeaderClient, message: JsonObject, identity: FakeLeaderIdentity): JsonObject | null => {
  const { type, request_id, command } = message
  if (type === "register") return registered(client, identity, true)
  if (type === "ping") return { type: "pong" }
  if (type !== "control") return null
  return { type: "control_result", request_id, result: answerToCommand(command, identity) }
}

const answerToCommand = (command: unknown, identity: FakeLeaderIdentity): JsonObject => {
  const { binaryVersion = binaryVersionDefault, protocolVersion = controlProtocolVersion } = identity
  const type = member(command, "type")
  if (type === "get_leader_info") {
    return {
      Ok: {
        type: "leader_info",
        pid: 4_242,
        socket_path: "/leader.sock",
        lock_path: "/leader.lock",
        ws_url_suffix: "",
        leader_protocol_version: protocolVersion,
        leader_binary_version: binaryVersion
      }
    }
  }
  if (type === "relaunch_for_update" && isRecord(command)) {
    const { to_version } = command
    return { Ok: { type: "relaunching", from_version: binaryVersion, to_version, grace_ms: relaunchGraceMs } }
  }
  return { Err: { code: "unknown_command", message: "a fake leader knows two commands" } }
}

const relaunchGraceMs = 10_000
