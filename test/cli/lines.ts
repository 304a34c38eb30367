import type { Readable } from "node:stream"

/** The lines of a stream, and waiting for one. */
export interface Lines {
  readonly all: ReadonlyArray<string>
  /** The first line that fits, past ones included. */
  readonly first: (fits: (line: string) => boolean) => Promise<string>
  /** The first JSON record of a type that also fits, past ones included. */
  readonly record: (type: string, fits?: (record: Readonly<Record<string, unknown>>) => boolean) => Promise<Json>
}

export type Json = Readonly<Record<string, unknown>>

export const linesOf = (stream: Readable): Lines => {
  const all: Array<string> = []
  const waiting = new Set<() => void>()
  let rest = ""
  stream.setEncoding("utf8")
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    all.push(...lines)
    for (const look of [...waiting]) look()
  })
  const first = (fits: (line: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const line = all.find(fits)
        if (line === undefined) return
        waiting.delete(look)
        resolve(line)
      }
      waiting.add(look)
      look()
    })
  return {
    all,
    first,
    record: async (type, fits = () => true) =>
      JSON.parse(await first((line) => isRecord(line, (record) => record["type"] === type && fits(record))))
  }
}

const isRecord = (line: string, fits: (record: Json) => boolean): boolean => {
  if (!line.startsWith("{")) return false
  return fits(JSON.parse(line))
}
