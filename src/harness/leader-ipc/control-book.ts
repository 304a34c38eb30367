import { AgentError, RequestTimeout } from "../../domain/harness-errors.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import type { ControlOutcome } from "../../wire/leader/leader-message.ts"
import { type IpcWait, makeIpcWait } from "./ipc-wait.ts"

/**
 * Commands to a leader that were not answered yet, each under an id that no other has.
 *
 * @since 0.1.0
 * @category models
 */
export interface ControlBook {
  /** Opens a command, which `send` sends with its id. Gives what it was answered with. */
  open(asked: {
    readonly what: string
    /** Already scaled. */
    readonly ms: number
    readonly send: (requestId: string) => void
  }): Promise<unknown>
  /** An answer came; false when nothing waits for it. */
  answer(requestId: string, outcome: ControlOutcome): boolean
  /** Nothing will be answered any more. */
  end(error: Error): void
}

interface OpenCommand {
  readonly what: string
  readonly wait: IpcWait<ControlOutcome>
}

/** **Takes** `shown`: makes text of the leader fit to be shown. @since 0.1.0 @category constructors */
export const makeControlBook = (supervisor: Supervisor, shown: (text: string) => string): ControlBook => {
  const commands = new Map<string, OpenCommand>()
  let lastId = 0

  const errorOf = (what: string, { code, message, details }: ControlOutcome & { kind: "error" }): AgentError =>
    typeof code === "number"
      ? new AgentError(message, { what, code, data: details, shown: shown(message) })
      : new AgentError(message, { what, code: 0, data: { code, details }, shown: shown(`${code}: ${message}`) })

  return {
    open: ({ what, ms, send }) =>
      new Promise((resolve, reject) => {
        const id = `control-${++lastId}`
        const wait = makeIpcWait<ControlOutcome>(supervisor, {
          ms,
          resolve(outcome) {
            if (outcome.kind === "ok") resolve(outcome.payload)
            else reject(errorOf(what, outcome))
          },
          reject,
          late() {
            commands.delete(id)
            return new RequestTimeout(what, { ms })
          }
        })
        commands.set(id, { what, wait })
        send(id)
      }),
    answer(requestId, outcome) {
      const command = commands.get(requestId)
      commands.delete(requestId)
      command?.wait.found(outcome)
      return command !== undefined
    },
    end(error) {
      for (const { wait } of commands.values()) wait.over(error)
      commands.clear()
    }
  }
}
