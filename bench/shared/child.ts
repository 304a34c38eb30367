import { fork } from "node:child_process"

/** A process that answers one question after the other. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>
  /** Lets it end; a profile that it was asked for is written then. */
  stop(): void
}

/**
 * Starts a program that calls `answerQuestions`.
 *
 * **Takes** the URL of its file; flags of Node
 */
export const startChild = <Question extends object, Answer>(
  program: URL,
  nodeFlags: ReadonlyArray<string> = []
): Child<Question, Answer> => {
  const child = fork(program, { execArgv: [...nodeFlags] })
  let waiting: ((told: Told<Answer>) => void) | null = null
  const tell = (told: Told<Answer>): void => {
    waiting?.(told)
    waiting = null
  }
  child.on("message", (told: Told<Answer>) => tell(told))
  child.once("exit", (code, signal) => tell({ wrong: `${child.spawnargs.at(-1)} ended with ${code ?? signal}` }))
  return {
    async ask(question) {
      const told = await new Promise<Told<Answer>>((resolve) => {
        waiting = resolve
        child.send(question)
      })
      if ("wrong" in told) throw new Error(told.wrong)
      return told.right
    },
    stop() {
      if (child.connected) child.disconnect()
    }
  }
}

type Told<Answer> = { readonly right: Answer } | { readonly wrong: string }

/** Answers what the parent asks, until it goes. */
export const answerQuestions = <Question, Answer>(answer: (question: Question) => Promise<Answer>): void => {
  process.on("message", (question: Question) => {
    answer(question).then(
      (right) => process.send?.({ right }),
      (error: unknown) =>
        process.send?.({ wrong: error instanceof Error ? (error.stack ?? error.message) : `${error}` })
    )
  })
  process.once("disconnect", () => process.exit())
}
