/** What an agent answers, as it came. */
export type JsonRecord = Readonly<Record<string, unknown>>
