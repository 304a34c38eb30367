import type { CommandIo } from "./command-io.ts"

/** A reader that went away must not end the command; the next write to it is lost, as it must be. */
export const passOverLostReaders = ({ stdout, stderr }: Pick<CommandIo, "stdout" | "stderr">): void => {
  for (const stream of [stdout, stderr]) stream.on("error", () => {})
}
