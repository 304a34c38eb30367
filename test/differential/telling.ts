import type { FaultRecord, FaultServer } from "../../src/faults.ts"
import type { LogEntry, MockInferenceServer } from "../../src/index.ts"
import type { ServerTold, Told } from "./stage.ts"

/** Times and what the system chooses: not promised to be the same. */
const unpromised: ReadonlyArray<string> = ["at", "t", "durationMs", "heldMs", "date"]

/** Ports are chosen by the system, and stand in addresses alone. */
const port = /(127\.0\.0\.1|localhost):\d+/g

/** A moment as HTTP writes it, such as one to try again at. */
const moment = /\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT/g

/** As one line, without what is not promised. */
export const lineOf = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => {
    if (unpromised.includes(name)) return undefined
    return typeof part === "string" ? part.replace(port, "$1:PORT").replace(moment, "MOMENT") : part
  }) ?? "undefined"

export const serverTold = (server: MockInferenceServer): ServerTold => ({
  trace: server.traceEvents().map(lineOf),
  log: server.requests().flatMap(entryLines)
})

const entryLines = ({ number, headers, ...entry }: LogEntry): ReadonlyArray<string> => {
  const { method, path, kind, session, turn, attempt, body, authorization, answer } = entry
  const said = {
    method,
    path,
    kind,
    session,
    turn,
    attempt,
    body,
    authorization,
    answer: { ...answer, text: answer.text }
  }
  return [`${number} ${lineOf(said)}`, ...headers.map(([name, value]) => `${number} ${lineOf([name, value])}`).sort()]
}

export const faultsTold = (server: FaultServer): ServerTold => ({
  trace: server.traceEvents().map(lineOf),
  log: server.requests.flatMap(recordLines)
})

const recordLines = ({ headers, ...record }: FaultRecord): ReadonlyArray<string> => [
  `${record.attempt} ${lineOf(record)}`,
  ...Object.entries(headers)
    .map((header) => `${record.attempt} ${lineOf(header)}`)
    .sort()
]

/** The lines that only one of two has, or has elsewhere; empty when they tell the same. */
export const differences = (one: Told, other: Told): ReadonlyArray<string> => {
  const parts = (told: Told): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => [
    ...Object.entries(told.seen),
    ...told.servers.flatMap(
      ({ trace, log }, index): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => [
        [`trace ${index + 1}`, trace],
        [`log ${index + 1}`, log]
      ]
    )
  ]
  const ours = new Map(parts(one))
  const theirs = new Map(parts(other))
  const found = [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) =>
    differing(name, ours.get(name) ?? [], theirs.get(name) ?? [])
  )
  if (one.connects === undefined || other.connects === undefined) return found
  return [...found, ...differing("connects", one.connects.map(String), other.connects.map(String))]
}

const differing = (name: string, ours: ReadonlyArray<string>, theirs: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) =>
    ours[index] === theirs[index] ? [] : [`${name}: - ${ours[index]}`, `${name}: + ${theirs[index]}`]
  ).flat()
