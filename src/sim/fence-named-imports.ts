import nodeTimers, * as named from "node:timers"
import { realProcess } from "./fence-process.ts"

/** Set on the module, which is one for the whole process, once the warning was given. */
const warned = Symbol.for("llm-understudy/fence/warned")

/**
 * Warns, once in a process, where named imports of Node's modules are copies: a context of its own, as Jest and some pools
 * of Vitest make for each file, has them from when the first file imported the module. Called with the fence up.
 */
export const warnOfCopies = (): void => {
  if (named.setTimeout === nodeTimers.setTimeout || Reflect.get(nodeTimers, warned) === true) return
  Object.defineProperty(nodeTimers, warned, { value: true, enumerable: false })
  realProcess.emitWarning(
    'in this test runner named imports of Node\'s modules, as in `import { randomUUID } from "node:crypto"`, are copies that ' +
      "simulated runs cannot reach: ids, clocks and files are real where code uses them so. Set " +
      'NODE_OPTIONS="--import llm-understudy/fence", which puts the fence up before',
    { type: "SimulationWarning" }
  )
}
