import { applyScenario } from "../../src/inference/scenario-apply.ts"
import { readScenario, startOptions } from "../../src/inference/scenario-script.ts"
import { startWorld } from "../support/virtual-world.ts"

/** A scenario that has to be one. */
export const script = (value: unknown) => {
  const reading = readScenario(value)
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.script
}

/** A server that plays a scenario, and clients of it. */
export const play = (value: unknown) => {
  const read = script(value)
  const world = startWorld(startOptions(read))
  const applied = applyScenario(world.server, read)
  const ask = (
    options: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: object } = {}
  ) =>
    world.post(
      options.path ?? "/v1/chat/completions",
      { model: "m", ...options.body },
      Object.entries(options.headers ?? {})
    )
  return { ...world, applied, ask, again: (next: unknown) => applyScenario(world.server, script(next), applied) }
}

/** Whom most expectations are for. */
export const asked = { endpoint: "ChatCompletions", kind: "auxiliary" }
/** A body with one user message. */
export const user = (content: string) => ({ messages: [{ role: "user", content }] })
