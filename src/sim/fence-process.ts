import nodeProcess from "node:process"
import vm from "node:vm"

const isProcess = (value: unknown): value is NodeJS.Process =>
  typeof value === "object" && value !== null && "rawListeners" in value && "hrtime" in value

// Jest gives modules a copy, also of what `node:process` is, on which nobody hears of errors that were not caught.
const ofMainContext: unknown = vm.runInThisContext("process")

/** The process itself. */
export const realProcess: NodeJS.Process = isProcess(ofMainContext) ? ofMainContext : nodeProcess

/** The process and, where there is one, its copy. */
export const allProcesses: ReadonlyArray<NodeJS.Process> = [...new Set([realProcess, nodeProcess])]
