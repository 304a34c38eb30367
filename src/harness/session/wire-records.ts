import { makeBoundedList } from "../../domain/bounded-list.ts"
import { ProtocolViolation } from "../../domain/harness-errors.ts"
import { recordedBytes } from "../../domain/held-bytes.ts"
import { recordBytesMax, recordsMax } from "../../domain/session-limits.ts"

/** A rule of the protocol that the agent broke. */
export interface WireViolation {
  /** What is broken, as in `orphan response`. */
  readonly rule: string
  /** What there is about it. */
  readonly detail: string
  readonly line: string
  /** Number of the line in the wire log. */
  readonly seq: number
}

/** A line of the agent that is no message. */
export interface Pollution {
  readonly text: string
  readonly reason: string
  readonly seq: number
}

/**
 * What was wrong with what an agent wrote; the newest 10,000 and 8 MiB of each.
 *
 * **Source** agent-harness.md, section 2.7
 *
 * @since 0.1.0
 * @category models
 */
export interface WireRecords {
  violations(): ReadonlyArray<WireViolation>
  pollution(): ReadonlyArray<Pollution>
  /** Lines that were empty, or white space. */
  blankLines(): number
  /** **Fails** with `ProtocolViolation`, of the first line that is no message or breaks a rule */
  assertClean(): void
}

/** Records and what fills them. */
export interface FilledRecords extends WireRecords {
  violate(violation: WireViolation): void
  pollute(pollution: Pollution): void
  blank(): void
}

/**
 * **Takes** `broken`, which hears of the first at once; `shown`, which makes lines fit to be shown in errors
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWireRecords = ({
  broken,
  shown
}: {
  readonly broken: (error: ProtocolViolation) => void
  readonly shown: (text: string) => string
}): FilledRecords => {
  const bounds = { entriesMax: recordsMax, bytesMax: recordBytesMax }
  const violations = makeBoundedList<WireViolation>(bounds)
  const pollution = makeBoundedList<Pollution>(bounds)
  let first: ProtocolViolation | null = null
  let blanks = 0
  const keep = (rule: string, line: string): void => {
    if (first !== null) return
    first = new ProtocolViolation(rule, { line: shown(line) })
    broken(first)
  }
  return {
    violations: violations.items,
    pollution: pollution.items,
    blankLines: () => blanks,
    assertClean() {
      if (first === null) return
      const more = violations.total() + pollution.total() - 1
      const options = { line: first.line, ...(more === 0 ? {} : { diagnostics: `and ${more} more` }) }
      throw new ProtocolViolation(first.rule, options)
    },
    violate(violation) {
      violations.push(violation, recordedBytes(violation))
      keep(ruleText(violation), violation.line)
    },
    pollute(found) {
      pollution.push(found, recordedBytes(found))
      keep("every line is a message", found.text)
    },
    blank() {
      blanks++
    }
  }
}

const ruleText = ({ rule, detail }: WireViolation): string => (detail === "" ? rule : `${rule}: ${detail}`)
