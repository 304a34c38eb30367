import { type Command, registers, sends } from "../model/command.ts"
import type { World } from "./world.ts"

/** A command, with its place and number when the history gave it one. */
export interface Call {
  readonly command: Command
  readonly step: number | null
  readonly number: number
}

/** A command that the history does not hold; it gets the next number. */
export const extraCall = (world: World, command: Command): Call => ({
  command,
  step: null,
  number: sends(command) ? world.clients.length : world.handles.length
})

/** Numbers the commands of a history. */
export const callsOf = (commands: ReadonlyArray<Command>): ReadonlyArray<Call> => {
  let registrations = 0
  let exchanges = 0
  return commands.map((command, step) => {
    const number = registers(command) ? registrations++ : sends(command) ? exchanges++ : -1
    return { command, step, number }
  })
}
