import { Agent, fetch as undiciFetch } from "undici"
import { type FaultServer, type FaultServerOptions, startFaultServer } from "../../src/faults.ts"
import { MockInferenceServer, type ServerOptions } from "../../src/index.ts"
import { type SimWorld, type WorldOptions, withSim } from "../../src/sim.ts"
import type { Scenario, ServerTold, Stage, Told } from "./stage.ts"
import { faultsTold, lineOf, serverTold } from "./telling.ts"

/** What a world provides for a stage. */
export interface World {
  startServer(options: Omit<ServerOptions, "clock">): Promise<MockInferenceServer>
  startFaultServer(options: Omit<FaultServerOptions, "clock">): Promise<FaultServer>
  /** Called once for each client. */
  fetch(client: string): typeof fetch
  /** Connections that a client has made so far, where it can be asked. */
  connects?(client: string): number
  end(): Promise<void>
}

/** Plays a scenario in a world, closes its servers, and says what came of it. */
const playIn = async (world: World, scenario: Scenario): Promise<Told> => {
  const seen = new Map<string, Array<string>>()
  const fetches = new Map<string, typeof fetch>()
  const closing: Array<() => Promise<ServerTold>> = []
  const tell = (who: string, what: unknown): void => {
    const lines = seen.get(who) ?? []
    lines.push(lineOf(what))
    seen.set(who, lines)
  }
  const stage: Stage = {
    tell,
    async startServer(options = {}) {
      const server = await world.startServer(options)
      closing.push(async () => {
        // Live the last FIN may be slow; the end must not come from the clock.
        await server.close({ drainMs: 600_000 })
        return serverTold(server)
      })
      return server
    },
    async startFaultServer(options) {
      const server = await world.startFaultServer({
        telemetry: "full",
        randomSeed: 1,
        onEvent: (event) => tell("events of the fault server", event),
        ...options
      })
      closing.push(async () => {
        // It closes at once, and live nobody knows whether its timer of no time fires before the last FIN comes.
        const before = faultsTold(server)
        await server.close()
        return before
      })
      return server
    },
    fetch(client) {
      const known = fetches.get(client) ?? world.fetch(client)
      fetches.set(client, known)
      return known
    }
  }
  const servers: Array<ServerTold> = []
  try {
    await scenario(stage)
  } finally {
    for (const close of closing) servers.push(await close())
    await world.end()
  }
  const connects = [...fetches.keys()].flatMap((client) => world.connects?.(client) ?? [])
  return { seen: Object.fromEntries(seen), servers, ...(connects.length === 0 ? {} : { connects }) }
}

/** The `fetch` of undici by an agent; Node's own is an older undici, which takes no agent of this one. */
const fetchBy =
  (agent: Agent): typeof fetch =>
  (input, init) =>
    Reflect.apply(undiciFetch, undefined, [input, { ...init, dispatcher: agent }])

/** Clients of undici, and their end. */
const undiciClients = (makeAgent: (client: string) => Agent): Pick<World, "fetch" | "connects" | "end"> => {
  const agents: Array<Agent> = []
  const connects = new Map<string, number>()
  return {
    fetch(client) {
      const agent = makeAgent(client)
      agent.on("connect", () => connects.set(client, (connects.get(client) ?? 0) + 1))
      agents.push(agent)
      return fetchBy(agent)
    },
    connects: (client) => connects.get(client) ?? 0,
    async end() {
      for (const agent of agents) await agent.destroy()
    }
  }
}

/** A difference that is planted between worlds, to see that it is found. */
export type Plant = (world: World) => World

const inSim = (
  play: (world: World) => Promise<Told>,
  options: WorldOptions | undefined,
  worldOf: (sim: SimWorld) => World
): Promise<Told> => withSim(options ?? {}, (sim) => play(worldOf(sim)))

type Play = (scenario: Scenario, plant?: Plant, options?: WorldOptions) => Promise<Told>

const playing =
  (scenario: Scenario, plant: Plant = (world) => world) =>
  (world: World): Promise<Told> =>
    playIn(plant(world), scenario)

/** The three ways of one scenario, by name. */
export const stages: Readonly<Record<"live" | "messages" | "bytes", Play>> = {
  live: (scenario, plant) =>
    playing(
      scenario,
      plant
    )({
      startServer: (options) => MockInferenceServer.start(options),
      startFaultServer,
      ...undiciClients(() => new Agent({ connections: 1 }))
    }),
  messages: (scenario, plant, options) =>
    inSim(playing(scenario, plant), options, (sim) => ({
      startServer: sim.startServer,
      startFaultServer: sim.startFaultServer,
      fetch: sim.fetch,
      end: async () => {}
    })),
  bytes: (scenario, plant, options) =>
    inSim(playing(scenario, plant), options, (sim) => ({
      startServer: (options) => sim.startServer({ ...options, over: "bytes" }),
      startFaultServer: (options) => sim.startFaultServer({ ...options, over: "bytes" }),
      ...undiciClients((client) => new Agent({ connections: 1, connect: sim.connector(client) }))
    }))
}
