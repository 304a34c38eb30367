/** What a raw client has read and kept so far, by the words of agent-harness.md, sections 3.3 and 3.5. */
export interface RawModel {
  /** Gives what the next wait for an id comes to. */
  wait(id: string): ModelOutcome
  /** Requests of the agent that were read, by the tokens of their ids. */
  readonly refused: ReadonlyArray<string>
}

export type ModelOutcome =
  | { readonly kind: "found"; readonly message: unknown }
  | { readonly kind: "none"; readonly skipped: number; readonly tail: ReadonlyArray<string> }

/** Lines are parsed here anew, and in another way. */
export const makeRawModel = (
  lines: ReadonlyArray<string>,
  { keeps, tokenOf }: { readonly keeps: boolean; readonly tokenOf: (line: string) => string }
): RawModel => {
  const unread = [...lines]
  const kept: Array<{ readonly id: string; readonly message: unknown }> = []
  const refused: Array<string> = []
  return {
    refused,
    wait(id) {
      const at = kept.findIndex((one) => one.id === id)
      if (at >= 0) return { kind: "found", message: kept.splice(at, 1)[0]?.message }
      const passed: Array<string> = []
      for (let line = unread.shift(); line !== undefined; line = unread.shift()) {
        const message = objectIn(line)
        const isResponse = message !== null && !Object.hasOwn(message, "method") && typeof message["id"] === "string"
        if (isResponse && message["id"] === id) return { kind: "found", message }
        passed.push(line)
        if (isResponse && keeps) kept.push({ id: String(message["id"]), message })
        if (message !== null && Object.hasOwn(message, "method") && Object.hasOwn(message, "id"))
          refused.push(tokenOf(line))
      }
      return {
        kind: "none",
        skipped: passed.length,
        // Not cut through a character.
        tail: passed.slice(-3).map((line) =>
          line
            .trimEnd()
            .slice(0, 200)
            .replace(/[\ud800-\udbff]$/, "")
        )
      }
    }
  }
}

const objectIn = (line: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
