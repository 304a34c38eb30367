import { ProtocolViolation } from "../../domain/harness-errors.ts"
import { recordsMax } from "../../domain/session-limits.ts"
import { makeBoundedList } from "../wire/bounded-list.ts"

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
 * What was wrong with what an agent wrote; the newest 10,000 of each.
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

/** `broken` hears of each at once. @since 0.1.0 @category constructors */
export const makeWireRecords = (broken: (error: ProtocolViolation) => void): FilledRecords => {
  const violations = makeBoundedList<WireViolation>({ entriesMax: recordsMax })
  const pollution = makeBoundedList<Pollution>({ entriesMax: recordsMax })
  let first: ProtocolViolation | null = null
  let blanks = 0
  const keep = (error: ProtocolViolation): void => {
    first ??= error
    broken(error)
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
      violations.push(violation)
      keep(new ProtocolViolation(ruleText(violation), { line: violation.line }))
    },
    pollute(found) {
      pollution.push(found)
      keep(new ProtocolViolation("every line is a message", { line: found.text }))
    },
    blank() {
      blanks++
    }
  }
}

const ruleText = ({ rule, detail }: WireViolation): string => (detail === "" ? rule : `${rule}: ${detail}`)
