import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import {
  drainMs as drainMsDefault,
  graceMsDefault,
  killWaitMsDefault,
  tailBytesDefault
} from "../../domain/process-limits.ts"

/**
 * What is to be started, and how it is held.
 *
 * **Source** agent-harness.md, section 1.9.1
 *
 * @since 0.1.0
 * @category processes
 */
export interface ProcessOptions {
  /** A path, or a name that is looked for in the `PATH` of `environment`. A relative path is one from our own directory. */
  readonly program: string
  readonly args?: ReadonlyArray<string>
  readonly cwd: string
  /** All variables; nothing is inherited, and a mark of ours is added. */
  readonly environment: Readonly<Record<string, string>>
  /** Over `environment`; `null` removes. */
  readonly overrides?: Readonly<Record<string, string | null>>
  /** What it is called in errors. Default: the file name of the program. */
  readonly label?: string
  /** `null` reads an immediate end. Default `null`. */
  readonly stdin?: "null" | "piped"
  /** `capture` reads it and keeps its end; `piped` leaves the reading to `read`, and keeps what passes. Default `capture`. */
  readonly stdout?: "capture" | "piped"
  readonly stderr?: "capture" | "piped"
  /** A file that stderr goes to, made or emptied; it is captured then, as if nothing had come. */
  readonly stderrFile?: string
  /** So much is kept of each stream. Default 65,536, at least 1. */
  readonly tailBytes?: number
  /** Between SIGTERM and SIGKILL. Default 500 ms. */
  readonly graceMs?: number
  /** How long a killed process is waited for. Default 5,000 ms. */
  readonly killWaitMs?: number
  /** How long its output is waited for after its end. Default 1,000 ms. */
  readonly drainMs?: number
  /** Whether descendants that left its group may outlive its close. Default: no, they are killed. */
  readonly allowDetached?: boolean
}

/** The same with defaults filled in. */
export interface CheckedOptions extends Required<Omit<ProcessOptions, "overrides" | "stderrFile">> {
  readonly stderrFile: string | null
}

/**
 * Checks options and fills in what was left out.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category processes
 */
export const checkProcessOptions = (options: ProcessOptions): CheckedOptions => {
  const { program, args = [], cwd, overrides = {} } = options
  checkText("program", program)
  checkText("cwd", cwd)
  if (options.stderrFile !== undefined) checkText("stderrFile", options.stderrFile)
  for (const [index, argument] of args.entries()) checkNoNull(`args[${index}]`, argument)
  const environment = overridden(options.environment, overrides)
  for (const [name, value] of Object.entries(environment)) checkVariable(name, value)
  const label = options.label ?? fileName(program)
  const {
    tailBytes = tailBytesDefault,
    graceMs = graceMsDefault,
    killWaitMs = killWaitMsDefault,
    drainMs = drainMsDefault
  } = options
  if (!Number.isInteger(tailBytes) || tailBytes < 1)
    throw new InvalidOption(`tailBytes of ${label} is ${tailBytes}; give a whole number of bytes from 1`)
  checkMs(label, "graceMs", graceMs)
  checkMs(label, "killWaitMs", killWaitMs)
  checkMs(label, "drainMs", drainMs)
  return {
    program,
    args,
    cwd,
    environment,
    label,
    stdin: options.stdin ?? "null",
    stdout: options.stdout ?? "capture",
    stderr: options.stderrFile === undefined ? (options.stderr ?? "capture") : "capture",
    stderrFile: options.stderrFile ?? null,
    tailBytes,
    graceMs,
    killWaitMs,
    drainMs,
    allowDetached: options.allowDetached ?? false
  }
}

const overridden = (
  environment: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string | null>>
): Readonly<Record<string, string>> => {
  const variables = new Map(Object.entries(environment))
  for (const [name, value] of Object.entries(overrides)) {
    if (value === null) variables.delete(name)
    else variables.set(name, value)
  }
  return Object.fromEntries(variables)
}

const fileName = (program: string): string => program.split(/[\\/]/).at(-1) || program

const checkText = (option: string, text: string): void => {
  if (text === "") throw new InvalidOption(`${option} is empty; give a path`)
  checkNoNull(option, text)
}

/** What is refused is named and not shown: it may be a secret. */
const checkNoNull = (option: string, text: string): void => {
  if (text.includes("\0")) throw new InvalidOption(`${option} contains a null byte, which no program can be given`)
}

const checkVariable = (name: string, value: string): void => {
  checkNoNull(`the variable ${JSON.stringify(name)}`, `${name}${value}`)
  if (name === "" || name.includes("="))
    throw new InvalidOption(`a variable is named ${JSON.stringify(name)}; a name is not empty and has no "="`)
}

const checkMs = (label: string, option: string, ms: number): void => {
  if (ms >= 0 && ms <= delayMsMax) return
  throw new InvalidOption(`${option} of ${label} is ${ms}; give milliseconds from 0 to ${delayMsMax}`)
}
