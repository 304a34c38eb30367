// @ts-check
/**
 * Cells in which our faults do not give what the document says, and why. A cell that is named here must differ.
 *
 * @type {ReadonlyArray<{ readonly client: string, readonly fault: string, readonly reason: string }>}
 */
export const knownDifferences = [
  {
    client: "ai-sdk openai responses",
    fault: "reset mid-stream",
    reason:
      "this provider retries until the first output item has come; a reset of ours comes when what was sent has been read, see reset after the head"
  },
  {
    client: "ai-sdk anthropic",
    fault: "reset mid-stream",
    reason:
      "this provider retries until the first event has come; a reset of ours comes when what was sent has been read, see reset after the head"
  },
  {
    client: "@anthropic-ai/sdk stream",
    fault: "broken JSON",
    reason:
      "the document's broken line had no event name, which this SDK passes over; malformed_json of Messages is a named event, which it reads"
  }
]
