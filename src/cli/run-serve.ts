import type { CommandIo } from "./command-io.ts"
import { passOverLostReaders } from "./lost-readers.ts"
import { serve } from "./serve.ts"
import { makeServeCommand } from "./serve-command.ts"

const command = makeServeCommand(async () => serve)

/**
 * Runs `understudy serve` with the words of its command line, as `run` does. It is bundled by itself, in few files: servers are started
 * often, and each file of a bundle that all commands share takes its time.
 *
 * @since 0.1.0
 * @category running
 */
export const runServe = ([, ...rest]: ReadonlyArray<string>, io: CommandIo): Promise<number> => {
  passOverLostReaders(io)
  return command.run(rest, io)
}
