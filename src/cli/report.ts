import type { TraceEvent } from "../domain/trace-event.ts"
import type { CommandIo } from "./command-io.ts"
import { eventLine, isLogged } from "./event-line.ts"
import { makeLineOut } from "./line-out.ts"

/** A record on stdout: its kind first. */
export interface OutputRecord {
  readonly type: string
  readonly [name: string]: unknown
}

/**
 * What a long-running command tells: records for programs on stdout, text for people on stderr.
 *
 * @since 0.1.0
 * @category services
 */
export interface Report {
  /** The first record; but for `summary` the only one without `--log jsonl`. */
  ready(record: OutputRecord): void
  /** What comes now are the last words: they are written however far a reader is behind, what was lost before them. */
  closing(): void
  /** The last record, of commands that have one. */
  summary(record: OutputRecord): void
  /** Says what was lost for want of a reader. */
  end(): void
  /** A record that is told with `--log jsonl` alone. */
  record(record: OutputRecord): void
  /** A sentence, and lines that are complete by themselves. */
  human(sentence: string, details?: ReadonlyArray<string>): void
  /** A line for people that is complete by itself. */
  line(text: string): void
  /** An event, in the form of the log that was asked for. */
  event(event: TraceEvent): void
}

/** @since 0.1.0 @category constructors */
export const makeReport = (log: "jsonl" | "pretty" | undefined, io: CommandIo): Report => {
  const people = makeLineOut(io.stderr, {
    dropped: (count) => `understudy: ${count} lines were lost, for nobody read them`,
    broken: () => {}
  })
  const human = (sentence: string, details: ReadonlyArray<string> = []): void => {
    people.line(`understudy: ${sentence}`)
    for (const detail of details) people.line(detail)
  }
  const records = makeLineOut(io.stdout, {
    dropped: (count) => JSON.stringify({ type: "dropped", lines: count }),
    broken: (reason) => human(`nobody reads stdout any more (${reason}); nothing more is written to it`)
  })
  const record = (entry: OutputRecord): void => {
    if (log === "jsonl") records.line(JSON.stringify(entry))
  }
  return {
    ready: (entry) => records.line(JSON.stringify(entry)),
    closing() {
      records.closing()
      people.closing()
    },
    summary: (entry) => records.line(JSON.stringify(entry)),
    end() {
      records.end()
      people.end()
    },
    record,
    human,
    line: people.line,
    event(event) {
      if (!isLogged(event)) return
      if (log === "jsonl") records.line(JSON.stringify(event))
      else if (log === "pretty") people.line(eventLine(event))
    }
  }
}
