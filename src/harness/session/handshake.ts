import { RequestTimeout } from "../../domain/harness-errors.ts"
import { UnsupportedControl } from "../../domain/harness-scope-errors.ts"
import { isRecord, member } from "../../domain/json.ts"
import type { JsonObject, ProfileAcp } from "../profile/agent-profile.ts"
import type { CallOutcome } from "./call-book.ts"
import type { JsonRecord } from "./json-record.ts"
import { brokenResult, type SessionActor, type SessionCore } from "./session-core.ts"

/** `initialize` and `authenticate` under way; both together have one deadline. */
export interface Handshake {
  /** Already scaled. */
  readonly ms: number | null
  /** When it began, on the clock of the session. */
  readonly startedAt: number
  readonly allowOtherVersion: boolean
  /** The answer to `initialize`, when it has come. */
  result: JsonRecord
  /** The chosen way to authenticate. */
  methodId: string
  readonly resolve: (result: JsonRecord) => void
  readonly reject: (error: Error) => void
}

/**
 * The parameters of `initialize`.
 *
 * **Source** agent-harness.md, section 2.4
 *
 * @since 0.1.0
 * @category encoding
 */
export const initializeParams = (acp: ProfileAcp, capabilities: JsonObject): JsonObject => ({
  protocolVersion: acp.protocolVersion,
  clientCapabilities: { ...acp.clientCapabilities, ...capabilities },
  ...(acp.initializeMeta === null ? {} : { _meta: acp.initializeMeta })
})

/** Sends `initialize`, and says what its answer leads to. */
export const sendInitialize = (session: SessionActor): void => {
  const { handshake, parts } = session.data
  if (handshake === null) return
  ask(session, {
    method: "initialize",
    params: initializeParams(parts.acp, parts.capabilities ?? {}),
    ms: handshake.ms,
    accept(result) {
      handshake.result = result
      const methodId = authMethod(session, result)
      handshake.methodId = methodId ?? ""
      session.data.world.supervisor.deliver(session, { type: "handshake.accepted", needsAuth: methodId !== null })
    }
  })
}

/** Sends `authenticate` within what is left of the time. */
export const sendAuthenticate = (session: SessionActor): void => {
  const { handshake, parts, world } = session.data
  const { auth } = parts.acp
  if (handshake === null || auth === "none") return
  const { ms, startedAt, methodId } = handshake
  ask(session, {
    method: "authenticate",
    params: { methodId, ...(auth.meta === null ? {} : { _meta: auth.meta }) },
    ms: ms === null ? null : Math.max(0, startedAt + ms - world.clock.now()),
    accept: () => world.supervisor.deliver(session, { type: "handshake.accepted", needsAuth: false })
  })
}

interface Question {
  readonly method: string
  readonly params: JsonObject
  readonly ms: number | null
  readonly accept: (result: JsonRecord) => void
}

const ask = (session: SessionActor, { method, params, ms, accept }: Question): void => {
  const settled = (outcome: CallOutcome): void => {
    try {
      if (outcome.kind === "failed") throw outcome.error
      accept(isRecord(outcome.result) ? outcome.result : {})
    } catch (error) {
      rejectHandshake(session.data, asHandshakeError(session, error))
      if (session.snapshot.status === "active")
        session.data.world.supervisor.deliver(session, { type: "handshake.failed" })
    }
  }
  session.data.calls.open({ method, params, what: method, ms, settled })
}

/** Lets the handshake fail that is under way, if one is. */
export const rejectHandshake = (core: SessionCore, error: Error): void => {
  const { handshake } = core
  core.handshake = null
  handshake?.reject(error)
}

/** The time was that of the whole handshake, whichever part of it took too long. */
const asHandshakeError = (session: SessionActor, error: unknown): Error => {
  const { handshake, parts } = session.data
  if (error instanceof RequestTimeout && handshake !== null)
    return new RequestTimeout("initialize", { ms: handshake.ms ?? 0, diagnostics: parts.process.diagnostics() })
  return error instanceof Error ? error : new Error(String(error))
}

/**
 * The id of the way to authenticate; `null` when the profile has none.
 *
 * **Fails** with `ProtocolViolation` for another version of the protocol, `UnsupportedControl` when no way of the profile is offered
 */
const authMethod = (session: SessionActor, result: JsonRecord): string | null => {
  const { parts, handshake } = session.data
  const { acp, process } = parts
  const version = member(result, "protocolVersion")
  const diagnostics = process.diagnostics()
  if (version !== acp.protocolVersion && handshake?.allowOtherVersion !== true) {
    const rule = `the protocol has version ${acp.protocolVersion}, and the agent answered ${JSON.stringify(version)}`
    throw brokenResult(session.data, rule, result)
  }
  if (acp.auth === "none") return null
  const methods = member(result, "authMethods")
  const offered = Array.isArray(methods) ? methods.map((method) => member(method, "id")) : []
  const wanted = "methodId" in acp.auth ? [acp.auth.methodId] : acp.auth.anyOf
  const found = wanted.find((id) => offered.includes(id))
  if (found !== undefined) return found
  const shown = offered.length === 0 ? "none" : offered.map(String).join(", ")
  throw new UnsupportedControl(
    `the agent does not offer to authenticate by ${wanted.join(" or ")}; it offers ${shown}. ` +
      "The id of the method may have changed: compare it with the profile",
    { diagnostics }
  )
}
