import { leaderGraceMs, leaderKillWaitMs } from "../../domain/leader-limits.ts"
import { processReleaseMs, sandboxReleaseMs } from "../../domain/scope-limits.ts"
import { proxyParts } from "../../proxy/proxy-parts.ts"
import { startFaultProxy } from "../../proxy/start-fault-proxy.ts"
import { runHeadless, runInSandbox, runPrompt } from "../headless/run-headless.ts"
import type { LeaderWorld } from "../leader/leader-world.ts"
import { startLeader } from "../leader/start-leader.ts"
import { connectLeader } from "../leader-ipc/connect-leader.ts"
import { startFakeLeader } from "../leader-ipc/start-fake-leader.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { startRawClient } from "../raw/start-raw-client.ts"
import { makeSandbox } from "../sandbox/sandbox.ts"
import type { Holding } from "../scope/acquisition.ts"
import type { Scope } from "../scope/scope.ts"
import { startAgent } from "../session/start-agent.ts"
import { type AgentChoice, type ProfileChoice, urlOf } from "./api-options.ts"
import { checkedScope } from "./checked-scope.ts"
import { chosenProfile } from "./chosen-profile.ts"
import type { HarnessRoom } from "./harness-room.ts"
import type { CoreScope } from "./harness-scope.ts"
import { heldAgent, heldProcess, heldProxy, heldRawClient, heldSandbox, sandboxPlace } from "./held.ts"
import { endLeaderClient, heldConnection, heldFakeLeader, heldLeader } from "./held-leader.ts"
import { noted } from "./noted.ts"
import { notedRawClient, notedSession } from "./noted-session.ts"
import { trackWorld } from "./tracked-world.ts"

const leaderReleaseMs = processReleaseMs({ graceMs: leaderGraceMs, killWaitMs: leaderKillWaitMs }) + sandboxReleaseMs

const agentReleaseMs = processReleaseMs({}) + sandboxReleaseMs

/**
 * What a scope offers to those who write tests.
 *
 * @since 0.1.0
 * @category constructors
 */
export const scopeApi = (room: HarnessRoom, scope: Scope): CoreScope => {
  const { world } = room
  const { parent, files } = world.sandboxes
  const close = (): Promise<void> => noted(room, scope.close)

  /** Gets something whose start can be cut short by killing what it has started. */
  const acquire = async <A>(
    name: string,
    work: {
      readonly start: (world: LeaderWorld) => Promise<A>
      readonly release: (value: A) => Promise<unknown>
      readonly boundMs: number
    }
  ): Promise<Holding<A>> => {
    const tracked = trackWorld(world)
    const held = await noted(room, () =>
      scope.acquire(name, {
        start: () => work.start(tracked.world),
        release: async (value) => void (await work.release(value)),
        interrupt: tracked.kill,
        boundMs: work.boundMs
      })
    )
    tracked.stop()
    return held
  }
  /** Runs something to its end. */
  const run = async <A>(name: string, work: (world: LeaderWorld) => Promise<A>): Promise<A> => {
    const held = await acquire(name, { start: work, release: async () => {}, boundMs: agentReleaseMs })
    held.forget()
    return held.value
  }
  const profileOf = (choice: ProfileChoice): Promise<AgentProfile> => chosenProfile(choice, { parent, files })
  const resolved = async <O extends AgentChoice>({ profile, mock, ...options }: O) => ({
    ...options,
    profile: await profileOf(profile),
    ...(mock === undefined ? {} : { mockUrl: urlOf(mock) })
  })
  const nameOf = (what: string, { profile }: { readonly profile: ProfileChoice }): string =>
    `${what} ${typeof profile === "string" ? profile : profile.id}`

  const api: CoreScope = {
    name: scope.name,
    async startAgent(options) {
      // Registered below the agent: a sandbox that is taken from it has to outlive it.
      const place = sandboxPlace(scope, nameOf("sandbox of agent", options))
      try {
        const held = await acquire(nameOf("agent", options), {
          start: async (tracked) => startAgent(tracked, await resolved(options)),
          release: (agent) => agent.close(),
          boundMs: agentReleaseMs
        })
        return notedSession(room, heldAgent(held, place))
      } catch (error) {
        place.leave()
        throw error
      }
    },
    async startRawClient(options) {
      const held = await acquire(nameOf("raw client of", options), {
        start: async (tracked) => startRawClient(tracked, await resolved(options)),
        release: (client) => client.close(),
        boundMs: agentReleaseMs
      })
      return notedRawClient(room, heldRawClient(held))
    },
    runPrompt: (options) =>
      run(nameOf("prompt for", options), async (tracked) => runPrompt(tracked, await resolved(options))),
    runHeadless: (options) =>
      run(nameOf("run of", options), async (tracked) => runHeadless(tracked, await resolved(options))),
    runCommand: (options) =>
      run(`command ${options.label ?? options.program}`, (tracked) => runInSandbox(tracked, options)),
    async makeSandbox({ profile, mock, ...options } = {}) {
      const held = await acquire("sandbox", {
        start: async (tracked) =>
          makeSandbox(tracked.sandboxes, {
            ...options,
            ...(profile === undefined ? {} : { profile: await profileOf(profile) }),
            ...(mock === undefined ? {} : { mockUrl: urlOf(mock) })
          }),
        release: (sandbox) => sandbox.close(),
        boundMs: sandboxReleaseMs
      })
      if (options.keep === true) room.watch.keep(held.value.paths.root)
      return heldSandbox(held)
    },
    async spawn({ sandbox, ...options }) {
      const held = await acquire(`process ${options.label ?? options.program}`, {
        start: (tracked) =>
          tracked.host.spawn({
            ...options,
            cwd: options.cwd ?? sandbox?.paths.workspace ?? parent.cwd,
            environment: options.environment ?? sandbox?.environment() ?? { PATH: parent.variables["PATH"] ?? "" }
          }),
        release: (process) => process.close(),
        boundMs: processReleaseMs(options)
      })
      return heldProcess(held)
    },
    async startLeader(options) {
      const name = nameOf("leader", options)
      const held = await acquire(name, {
        start: async (tracked) => startLeader(tracked, await resolved(options)),
        // Its clients are closed before it: they are held as well.
        release: (fixture) => fixture[Symbol.asyncDispose](),
        boundMs: leaderReleaseMs
      })
      return heldLeader(held, (start) =>
        acquire(`client of ${name}`, {
          start: async () => notedSession(room, await start()),
          release: endLeaderClient,
          boundMs: agentReleaseMs
        })
      )
    },
    async connectLeader(address, options = {}) {
      const abort = new AbortController()
      const giveUp = (): void => abort.abort()
      if (options.signal?.aborted === true) giveUp()
      options.signal?.addEventListener("abort", giveUp)
      const acquiring = scope.acquire("connection to a leader", {
        start: () => connectLeader(world, address, { ...options, signal: abort.signal }),
        release: (connection) => connection.disconnect(),
        interrupt: giveUp
      })
      const held = await noted(room, () => acquiring).finally(() =>
        options.signal?.removeEventListener("abort", giveUp)
      )
      return heldConnection(held)
    },
    async startFakeLeader(address, behaviour) {
      const held = await noted(room, () =>
        scope.acquire("fake leader", {
          start: () => startFakeLeader(world, address, behaviour),
          release: (leader) => leader.close()
        })
      )
      return heldFakeLeader(held)
    },
    async startProxy(listen, upstream, plan, options = {}) {
      const held = await noted(room, () =>
        scope.acquire("fault proxy", {
          start: async () => startFaultProxy(world, proxyParts(listen, upstream, plan, options)),
          release: (proxy) => proxy.stop()
        })
      )
      return heldProxy(held)
    },
    acquire: (name, acquisition) => noted(room, () => scope.acquire(name, acquisition)),
    defer: scope.defer,
    scope: (name) => scopeApi(room, scope.open(name)),
    close,
    [Symbol.asyncDispose]: close
  }
  return checkedScope(api)
}
