import { type CloseMode, closeOptions } from "../../domain/close-mode.ts"
import { FrameTooLarge } from "../../domain/harness-errors.ts"
import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import { aFunction, checkOption, members, someText } from "../../domain/option-checks.ts"
import { makeStdioWire, type StdioWire } from "../wire/stdio-wire.ts"
import type { AgentSession, SessionEnd } from "./agent-session.ts"
import { makeCallBook } from "./call-book.ts"
import { type CapturedUpdate, makeCaptures } from "./captures.ts"
import type { HeldPermission } from "./held-permission.ts"
import { takeLine } from "./line-intake.ts"
import { permissionPolicy } from "./permission-check.ts"
import { makePermissionDesk } from "./permission-desk.ts"
import { makeRequestBook } from "./request-book.ts"
import { scaledMs } from "./session-calls.ts"
import { failSession, orFault, type SessionActor, type SessionCore } from "./session-core.ts"
import { sessionKind } from "./session-kind.ts"
import { sessionOperations } from "./session-operations.ts"
import type { SessionParts, SessionWorld } from "./session-options.ts"
import { makeWaiters } from "./update-waiters.ts"
import { makeWireRecords } from "./wire-records.ts"

const updateOptions = members({ deadlineMs: () => null, since: () => null })

/** So long the next request for permission is waited for. */
const permissionMs = 30_000

/**
 * Begins to speak with an agent that has started. Nothing is sent.
 *
 * **Takes** `bytesMax`, the longest line; 64 MiB by default
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSession = (
  world: SessionWorld,
  parts: SessionParts,
  { bytesMax }: { readonly bytesMax?: number } = {}
): AgentSession => {
  let settle = (): void => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  const session: SessionActor = world.supervisor.spawn(
    sessionKind,
    { leaveMs: parts.acp.exitsOnStdinEof.withinMs },
    makeCore(world, parts, {
      bytesMax,
      closed: settle,
      self: () => session
    })
  )
  // Not before: what the agent has written already is read at once.
  session.data.wire.begin()
  const closed = settled.then(() => endOf(session.data))
  // Whoever closes hears of it.
  closed.catch(() => {})
  return sessionOf(session, closed)
}

interface CoreOptions {
  readonly bytesMax: number | undefined
  readonly closed: () => void
  readonly self: () => SessionActor
}

const makeCore = (world: SessionWorld, parts: SessionParts, { bytesMax, closed, self }: CoreOptions): SessionCore => {
  const { supervisor, clock } = world
  const { process, shown, strict = false, permissions = "default", handlers = {} } = parts
  const diagnostics = (): string => process.diagnostics()
  const wire: StdioWire = makeStdioWire(world, {
    pipe: process,
    ...(bytesMax === undefined ? {} : { bytesMax }),
    news: {
      line: (line, seq) => takeLine(core, line, seq),
      over(problem) {
        if (problem instanceof FrameTooLarge) failSession(self(), problem)
        else if (self().snapshot.status === "active") supervisor.deliver(self(), { type: "wire.ended" })
      }
    }
  })
  const waiting = makeWaiters<HeldPermission>(clock, diagnostics)
  const core: SessionCore = {
    world,
    parts,
    wire,
    calls: makeCallBook({ supervisor, wire, diagnostics, shown }),
    requests: makeRequestBook(supervisor, wire),
    captures: makeCaptures(),
    records: makeWireRecords({
      shown,
      broken: (error) => {
        if (strict) failSession(self(), error)
      }
    }),
    desk: makePermissionDesk(permissions, {
      mistaken: (error) => core.faults.push(error),
      heldOne: (held) => waiting.offer(held)
    }),
    handlers: new Map(Object.entries(handlers)),
    updates: makeWaiters<CapturedUpdate>(clock, diagnostics),
    permissions: waiting,
    handshake: null,
    failure: null,
    isClosedByTest: false,
    faults: [],
    problems: [],
    closed
  }
  return core
}

const endOf = ({ parts, faults, problems }: SessionCore): SessionEnd => {
  const { status, terminationReason, stdout, stderr } = parts.process
  const [first, ...others] = [...faults.splice(0), ...problems]
  if (first !== undefined) throw others.length === 0 ? first : new CleanupFailed([first, ...others])
  return {
    exitCode: status?.code ?? null,
    signal: status?.signal ?? null,
    reason: terminationReason ?? null,
    stdoutTail: stdout.text(),
    stderrTail: stderr.text()
  }
}

const sessionOf = (session: SessionActor, closed: Promise<SessionEnd>): AgentSession => {
  const core = session.data
  const { world, parts, captures, records, desk, handlers, wire } = core
  const { process } = parts
  const close = (mode: CloseMode): Promise<SessionEnd> => {
    if (session.snapshot.status === "active") {
      core.isClosedByTest ||= session.snapshot.state.startsWith("open")
      world.supervisor.deliver(session, { type: "close", mode })
    }
    return closed
  }
  const { update: _update, ext: _ext, passed: _passed, ...captured } = captures
  const { violate: _violate, pollute: _pollute, blank: _blank, ...recorded } = records
  return {
    ...captured,
    ...recorded,
    ...sessionOperations(session),
    onRequest(method, handler) {
      checkOption(someText, method, "the method")
      checkOption(aFunction, handler, "the handler")
      handlers.set(method, handler)
      return () => {
        if (handlers.get(method) === handler) handlers.delete(method)
      }
    },
    setPermissionPolicy(policy) {
      checkOption(permissionPolicy, policy, "the policy")
      desk.setPolicy(policy)
    },
    permissions: desk.records,
    heldPermissions: desk.held,
    async nextPermission({ deadlineMs } = {}) {
      const ms = scaledMs(core, deadlineMs, permissionMs)
      const [first] = desk.held()
      return (
        first ??
        orFault(
          core,
          core.permissions.wait(() => true, { what: "a request for permission", ms })
        )
      )
    },
    async waitForUpdate(matches, options) {
      checkOption(aFunction, matches, "the predicate")
      checkOption(updateOptions, options)
      const { deadlineMs, since } = options
      const ms = scaledMs(core, deadlineMs, null)
      const seen = since === undefined ? undefined : captures.updatesSince(since).find(matches)
      return seen ?? orFault(core, core.updates.wait(matches, { what: "an update that matches", ms }))
    },
    wireLog: wire.log,
    stderr: () => process.stderr.text(),
    pid: () => process.pid,
    processDiagnostics: () => process.diagnostics(),
    startTerminate: () => process.startTerminate(),
    startKill: () => process.startKill(),
    async close(options = {}) {
      checkOption(closeOptions, options)
      return close(options.mode ?? "terminate")
    },
    async [Symbol.asyncDispose]() {
      await close("terminate")
    }
  }
}
