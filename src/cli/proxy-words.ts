import { suggestion } from "../domain/spelling.ts"
import {
  type ControlCommandName,
  type ControlMember,
  controlCommandNames,
  controlCommands,
  controlUsage,
  isControlCommand
} from "../proxy/control/control-commands.ts"

/** A request as the control socket takes it, or what is wrong with the words. */
export type WordsRead = { readonly request: Readonly<Record<string, unknown>> } | { readonly problem: string }

/**
 * Makes a request of words, as in `wait held go ms=500`: members in their order, or as NAME=VALUE.
 *
 * **Takes** `readFile`: what a file holds, for the one that a plan or rule may stand in; it may throw an `Error`
 * **Gives** what is wrong, where something is; whether values may be what they are is for the proxy to say
 *
 * @since 0.1.0
 * @category encoding
 */
export const readWords = (words: ReadonlyArray<string>, readFile: (file: string) => unknown): WordsRead => {
  const command = commandOf(words)
  if (command === null) return { problem: unknownCommand(words) }
  const members: ReadonlyArray<ControlMember> = controlCommands[command].members
  const given = new Map<string, unknown>()
  try {
    for (const word of words.slice(command.split(" ").length)) {
      const [, name = "", value = ""] = /^([a-z]+)=(.*)$/s.exec(word) ?? []
      const named = members.find((member) => member.name === name)
      const next = named ?? members.find((member) => !given.has(member.name))
      if (next === undefined)
        return { problem: `${JSON.stringify(word)} is too much; it is "${controlUsage(command)}"` }
      if (named !== undefined && given.has(name)) return { problem: `${name} is given twice` }
      given.set(next.name, memberValue(next, named === undefined ? word : value, readFile))
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const missing = members.find(({ name, isOptional }) => isOptional !== true && !given.has(name))
  if (missing !== undefined)
    return { problem: `${missing.name.toUpperCase()} is missing; it is "${controlUsage(command)}"` }
  return { request: { command, ...Object.fromEntries(given) } }
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

const memberValue = ({ name, kind }: ControlMember, text: string, readFile: (file: string) => unknown): unknown => {
  if (kind === "text") return text
  if (kind === "number") {
    if (/^\d+$/.test(text)) return Number(text)
    throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number`)
  }
  if (kind === "document" && !/^\s*(?:[{["]|null$)/.test(text)) return readFile(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${name} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
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
