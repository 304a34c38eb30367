import { InvalidOption, StartFailed } from "../domain/errors.ts"
import { HarnessError } from "../domain/harness-error.ts"
import { BinaryNotFound } from "../domain/harness-errors.ts"
import type { AgentProfile } from "../harness/profile/agent-profile.ts"
import { RunFailed } from "./command-io.ts"

/** What an error says, without what was known of the process. */
export const saidBy = (error: Error): string => {
  if (!(error instanceof HarnessError) || error.diagnostics === "") return error.message
  const { message, diagnostics } = error
  return message.endsWith(`\n${diagnostics}`) ? message.slice(0, -diagnostics.length - 1) : message
}

/**
 * An error of a run in a sentence, and lines that go with it. What is a defect of ours is thrown.
 *
 * @since 0.1.0
 * @category errors
 */
export const failureText = (
  error: unknown,
  profile: AgentProfile
): { readonly sentence: string; readonly details: ReadonlyArray<string> } => {
  if (error instanceof RunFailed) return { sentence: error.message, details: error.details }
  if (error instanceof BinaryNotFound && error.path === null) {
    const { package: brought } = profile.binary
    const everywhere = brought === null ? [] : [`for all folders: npm install -g ${brought.name}`]
    return { sentence: saidBy(error), details: everywhere }
  }
  if (error instanceof HarnessError || error instanceof StartFailed || error instanceof InvalidOption) {
    const [sentence = "", ...details] = saidBy(error).split("\n")
    return { sentence, details }
  }
  throw error
}
