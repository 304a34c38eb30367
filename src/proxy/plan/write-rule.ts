import type { FaultAction, FaultRule, FrameMatch } from "./fault-program.ts"
import { writeBytes } from "./write-bytes.ts"

type Members = Readonly<Record<string, unknown>>

/**
 * A rule as JSON, without what it does not say. Read again it is the same rule, but for a condition in code, of which JSON says only
 * that it is there.
 *
 * @since 0.1.0
 * @category encoding
 */
export const writeRule = ({ id, direction, connection, match, action, times }: FaultRule): Members => ({
  id,
  direction,
  ...said({ connection }),
  match: writeMatch(match),
  action: writeAction(action),
  ...said({ times })
})

const writeMatch = ({ where, test, probability, ...rest }: FrameMatch): Members => ({
  ...said(rest),
  ...(where === null ? {} : { where: Object.fromEntries(where) }),
  ...(test === null ? {} : { test: "(code)" }),
  ...(probability === 1 ? {} : { probability })
})

const writeAction = (action: FaultAction): Members =>
  said(action.type === "inject" ? { ...action, bytes: writeBytes(action.bytes) } : { ...action })

const said = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
