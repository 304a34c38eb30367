import { commonOptions, makeCommand } from "./command.ts"
import { onlyOption } from "./explore-options.ts"
import type { Operand, OptionTable } from "./option-table.ts"

/** The operands of commands that make a run again. */
export const runOperands: ReadonlyArray<Operand> = [
  { placeholder: "TRACE|TOKEN", help: "the file that explore wrote, or the token that a failed run printed" },
  {
    placeholder: "FILE",
    help: "the module of the program, where the trace names none or another one",
    isOptional: true
  }
]

/** The options of `understudy replay`. */
const replayOptions = { only: onlyOption, ...commonOptions } as const satisfies OptionTable

const notes = `A trace names its module; a token needs FILE behind it. A warning says when the module, this package,
Node, the charts or the lock file are not what they were: the run may then be another one, and
whether it is the same is told by its hash. What the program prints is on stderr.

A run of a simulated test (simTest) is made again by its test runner: with a trace of one, this says by
which command.

On stdout there is one JSON line {"type":"replay",...}. Exit codes: 0 the run passes; 1 it fails, or could
not make the choices of the trace or token; 2 the command line is wrong, or the trace or module cannot be
loaded.`

/** `understudy replay`: what it does is loaded when it is asked for. */
export const replayCommand = makeCommand({
  name: "replay",
  summary: "Make a run again from its trace or token",
  operands: runOperands,
  options: replayOptions,
  notes,
  check: () => [],
  start: async (given, io) => {
    const [target = "", module = null] = given.operands
    return (await import("./replay.ts")).replay({ target, module, only: given.value(replayOptions.only) ?? null }, io)
  }
})
