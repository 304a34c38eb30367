import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { makeSimKernel, type SimKernel, type SimKernelOptions } from "../../src/kernel/sim-kernel.ts"
import { type FencedProgram, type RunOutcome, runFenced } from "../../src/sim/run-loop.ts"

export interface World {
  readonly kernel: SimKernel
  /** Writes down what happened, with its virtual time. */
  readonly log: (...what: ReadonlyArray<unknown>) => void
  readonly lines: Array<string>
}

type Rest<A> = Partial<Omit<FencedProgram<A>, "kernel" | "main">> & {
  readonly kernelOptions?: Partial<SimKernelOptions>
}

/** Runs a program once on a kernel of its own. */
export const runOnce = async <A>(
  seed: number,
  main: (world: World) => A | PromiseLike<A>,
  { kernelOptions, ...rest }: Rest<A> = {}
): Promise<RunOutcome<A> & World> => {
  const kernel = makeSimKernel({ choice: seededChoice(seed), ...kernelOptions })
  const lines: Array<string> = []
  const log = (...what: ReadonlyArray<unknown>): void => {
    const line = `${kernel.now()} ${what.map(String).join(" ")}`
    lines.push(line)
    kernel.note(line)
  }
  const world = { kernel, log, lines }
  return { ...(await runFenced({ kernel, seed, main: () => main(world), ...rest })), ...world }
}

/** The value of a run that must succeed. */
export const returned = async <A>(main: (world: World) => A | PromiseLike<A>, rest: Rest<A> = {}): Promise<A> => {
  const outcome = await runOnce(1, main, rest)
  if (outcome.status === "failed") throw outcome.error
  return outcome.value
}

/** The error of a run that must fail. */
export const failure = async (main: (world: World) => unknown, rest: Rest<unknown> = {}): Promise<unknown> => {
  const outcome = await runOnce<unknown>(1, main, rest)
  if (outcome.status === "returned") throw new Error(`the run gave ${String(outcome.value)}`)
  return outcome.error
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
