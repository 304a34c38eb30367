import { suggestion } from "../domain/spelling.ts"
import {
  type ControlCommandName,
  type ControlMember,
  controlCommandNames,
  controlCommands,
  controlUsage,
  isControlCommand
} from "../proxy/control/control-commands.ts"
import type { OptionReading } from "./option-table.ts"

/** A request as the control socket takes it, or what is wrong with the words. */
export type WordsRead = { readonly request: Readonly<Record<string, unknown>> } | { readonly problem: string }

/** Reads a file that is named for a member. */
export type ReadFile = (file: string, member: string) => unknown

/**
 * Makes a request of words, as in `wait held go ms=500`: members in their order, or as NAME=VALUE.
 *
 * **Takes** `readFile`: what stands in the file that is named for a plan or rule
 * **Gives** what is wrong, where something is; whether values may be what they are is for the proxy to say
 * **Fails** as `readFile` does
 *
 * @since 0.1.0
 * @category encoding
 */
export const readWords = (words: ReadonlyArray<string>, readFile: ReadFile): WordsRead => {
  const command = commandOf(words)
  if (command === null) return { problem: unknownCommand(words) }
  const members: ReadonlyArray<ControlMember> = controlCommands[command].members
  const given = new Map<string, unknown>()
  for (const word of words.slice(command.split(" ").length)) {
    const [, name = "", value = ""] = /^([a-z]+)=(.*)$/s.exec(word) ?? []
    const named = members.find((member) => member.name === name)
    if (named === undefined && name !== "") return { problem: unknownMember(name, members) }
    const next = named ?? members.find((member) => !given.has(member.name))
    if (next === undefined) return { problem: `${JSON.stringify(word)} is too much; it is "${controlUsage(command)}"` }
    if (named !== undefined && given.has(name)) return { problem: `${name} is given twice` }
    const reading = readMember(next, named === undefined ? word : value, readFile)
    if ("problem" in reading) return { problem: `${next.name} ${reading.problem}` }
    given.set(next.name, reading.value)
  }
  const missing = members.find(({ name, isOptional }) => isOptional !== true && !given.has(name))
  if (missing !== undefined)
    return { problem: `${missing.name.toUpperCase()} is missing; it is "${controlUsage(command)}"` }
  return { request: { command, ...Object.fromEntries(given) } }
}

/** Of words that hold a = at all, none begins with a name by chance. */
const unknownMember = (name: string, members: ReadonlyArray<ControlMember>): string => {
  const names = members.map((member) => member.name)
  const help = suggestion(name, names) || `; there are ${names.join(", ") || "none"}`
  return `what holds a = begins with the name of its member, and there is no ${JSON.stringify(name)}${help}`
}

/** Of two words, where those are a command, else of the first. */
const commandOf = (words: ReadonlyArray<string>): ControlCommandName | null =>
  [words.slice(0, 2).join(" "), words[0]].find(isControlCommand) ?? null

const unknownCommand = (words: ReadonlyArray<string>): string => {
  const [first] = words
  const known = `commands are: ${controlCommandNames.join(", ")}`
  if (first === undefined) return `no command was given; ${known}`
  const longer = controlCommandNames.filter((name) => name.startsWith(`${first} `))
  if (longer.length > 0) return `${JSON.stringify(first)} is not complete; say ${longer.join(", ")}`
  return `unknown command ${JSON.stringify(first)}${suggestion(first, controlCommandNames) || `; ${known}`}`
}

const readMember = ({ name, kind }: ControlMember, text: string, readFile: ReadFile): OptionReading<unknown> => {
  if (kind === "text") return { value: text }
  if (kind === "number" && !/^\d+$/.test(text)) return { problem: `is ${JSON.stringify(text)}; give a whole number` }
  if (kind === "number") return { value: Number(text) }
  if (kind === "document" && !/^\s*(?:[{["]|null$)/.test(text)) return { value: readFile(text, name) }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return {
      problem: `is no JSON: ${error instanceof Error ? error.message : String(error)}; put it in '...' where quotes are read away`
    }
  }
}

/**
 * The words of a line, cut at blanks as a shell does: what stands in quotes stays together, and loses them.
 *
 * @since 0.1.0
 * @category encoding
 */
export const wordsOfLine = (line: string): ReadonlyArray<string> =>
  (line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replace(
      /'([^']*)'|"([^"]*)"/g,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? ""
    )
  )
