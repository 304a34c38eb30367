import { asActor } from "../../sim/fence-run.ts"
import type { CampaignOptions, SimProgram } from "../campaign.ts"
import type { SimWorld } from "../sim-world.ts"
import { checkFuzz, checkMade } from "./fuzz-checks.ts"
import type { FuzzClient, MakeTurn } from "./fuzz-client.ts"
import { checkAnswer, failedForNothing, toolForNothing } from "./fuzz-failures.ts"
import { type FuzzModel, startFuzzModel } from "./fuzz-model.ts"
import { type FuzzProperties, fuzzJudge } from "./fuzz-properties.ts"
import { answerOf, promptOf, toolResult } from "./fuzz-words.ts"
import { type DrawnTurn, drawWorkload, type FuzzWorkload } from "./fuzz-workload.ts"

/** How a client is fuzzed: as any other program, with a workload. */
export interface FuzzOptions extends Omit<CampaignOptions, "judge"> {
  readonly workload?: FuzzWorkload
}

/** A program that a runner or a command runs by its options. */
export interface FuzzProgram {
  readonly name: string
  readonly options: CampaignOptions
  readonly run: SimProgram
}

/**
 * The program that fuzzes a client: users talk to a model through it, give turns up, use tools, and the model fails now and
 * then; all of it is drawn, and so is the schedule.
 *
 * **Fails** with `InvalidOption` for a workload, properties or options that cannot be
 *
 * @since 0.1.0
 * @category fuzzing
 */
export const fuzzProgram = (
  client: FuzzClient,
  properties: FuzzProperties = {},
  asked: FuzzOptions = {}
): FuzzProgram => {
  checkFuzz(client, properties, asked)
  const { workload = {}, ...options } = asked
  const { noLostTurn = true, noDoubleToolCall = true } = properties
  const isKind = isKindWorld(options)
  return {
    name: "fuzz",
    options: { ...options, judge: fuzzJudge(properties) },
    async run(sim) {
      sim.sometimes("a turn completed", false)
      const server = await sim.startServer()
      const draws = drawWorkload(sim.choice, workload)
      const tools = new Map<string, number>()
      const model = startFuzzModel(sim, server, { ...workload, toolsOf: (turn) => tools.get(promptOf(turn)) ?? 0 })
      const world = { sim, model, noLostTurn, noDoubleToolCall, isKind }

      const talk = async (name: string): Promise<void> => {
        const setup = { name, baseURL: server.url(), origin: server.origin(), fetch: sim.fetch(name) }
        const makeTurn = await client(setup)
        checkMade(makeTurn)
        const turns = draws.turns(name)
        for (let number = 1; number <= turns; number++) {
          const turn = draws.turn(name, number)
          tools.set(promptOf(turn), turn.tools)
          if (turn.pauseMs > 0) await sim.sleep(turn.pauseMs)
          await takeTurn(world, { makeTurn, turn }).finally(() => model.ended(turn))
        }
      }
      await Promise.all(draws.clients().map((name) => asActor(name, () => talk(name))))
    }
  }
}

interface FuzzedWorld {
  readonly sim: SimWorld
  readonly model: FuzzModel
  readonly noLostTurn: boolean
  readonly noDoubleToolCall: boolean
  /** Whether nobody but the model fails. */
  readonly isKind: boolean
}

/** Whatever is late by no more than this is no later than the network may make it by default. */
const kindWindowMs = 500

/** Whether its options cannot be why a turn fails: nothing is lost, and nothing later than by default. */
const isKindWorld = ({ network = {}, isUntimed = false, windowMs = 0 }: FuzzOptions): boolean =>
  Object.values(network.faults ?? {}).every((rate) => rate === 0) &&
  network.latenciesMs === undefined &&
  network.distancesMs === undefined &&
  network.timeouts === undefined &&
  !isUntimed &&
  windowMs <= kindWindowMs

/** One turn, and what came of it. */
const takeTurn = async (
  { sim, model, noLostTurn, noDoubleToolCall, isKind }: FuzzedWorld,
  { makeTurn, turn }: { readonly makeTurn: MakeTurn; readonly turn: DrawnTurn }
): Promise<void> => {
  let isGivenUp = false
  let text: unknown
  let wrong: Error | null = null
  try {
    await sim.call(turn.client, async (call) => {
      let isOver = false
      const giveUp = (): void => {
        if (isOver) return
        isGivenUp = true
        sim.sometimes("a user gave a turn up")
        call.abort()
      }
      if (turn.abortMs !== null) void sim.sleep(turn.abortMs).then(giveUp)
      try {
        const { signal } = call
        text = await makeTurn({
          prompt: promptOf(turn),
          signal,
          callTool(id) {
            if (noDoubleToolCall && !model.hasAsked(id)) {
              wrong ??= toolForNothing(turn, id)
              // Who gets an answer may ask for ever.
              return Promise.reject(wrong)
            }
            return call.tool(id, () => toolResult(id))
          }
        })
      } finally {
        isOver = true
      }
      // Who gave up and is shown what had come so far has not been told that it is all.
      if (isGivenUp && !String(text).includes(answerOf(turn))) throw new Error("given up")
    })
  } catch (error) {
    sim.sometimes("a turn failed")
    if (wrong !== null) throw wrong
    if (noLostTurn && isKind && !isGivenUp && !model.hasFailed(turn)) throw failedForNothing(turn, error)
    return
  }
  sim.sometimes("a turn completed")
  if (wrong !== null) throw wrong
  if (noLostTurn) checkAnswer(turn, text)
}
