import type { CommandIo } from "./command-io.ts"

/**
 * What a run of an agent tells: words of the agent on stdout, everything about it on stderr. With `--json` stdout holds the result
 * alone, and stderr what went wrong, what is asked and where things are.
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentTell {
  /** What the agent says, as it says it. */
  words(text: string): void
  /** A line about what goes on. */
  note(line: string): void
  /** A line that has to be seen in any case. */
  line(text: string): void
  /** A sentence of ours that has to be seen, and lines that are complete by themselves. */
  problem(sentence: string, details?: ReadonlyArray<string>): void
  /** Asks for a line of input; where nobody types, nothing is said. */
  ask(text: string): void
  /** The one line of the result; without `--json` nothing. */
  result(record: object): void
}

/** @since 0.1.0 @category constructors */
export const makeAgentTell = (
  io: CommandIo,
  { isJson, isTyped }: { readonly isJson: boolean; readonly isTyped: boolean }
): AgentTell => {
  /** Whether words stand on a line that has not ended. */
  let isOpen = false
  const line = (text: string): void => {
    if (isOpen) io.stdout.write("\n")
    isOpen = false
    io.stderr.write(`${text}\n`)
  }
  return {
    words(text) {
      if (isJson || text === "") return
      io.stdout.write(text)
      isOpen = !text.endsWith("\n")
    },
    note(text) {
      if (!isJson) line(text)
    },
    line,
    problem(sentence, details = []) {
      line(`understudy agent: ${sentence}`)
      for (const detail of details) line(detail)
    },
    ask(text) {
      if (isOpen) io.stdout.write("\n")
      isOpen = false
      if (isTyped) io.stderr.write(text)
    },
    result(record) {
      if (isJson) io.stdout.write(`${JSON.stringify(record)}\n`)
      else if (isOpen) io.stdout.write("\n")
      isOpen = false
    }
  }
}
