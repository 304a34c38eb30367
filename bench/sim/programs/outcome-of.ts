/** What became of an answer, in a line. */
export const outcomeOf = (text: Promise<string>): Promise<string> =>
  text.then(
    (value) => `ok ${value}`,
    (error: unknown) => (error instanceof Error ? `${error.constructor.name} ${error.message}` : String(error))
  )
