/** A version by semantic versioning, without its build. */
interface SemanticVersion {
  readonly numbers: ReadonlyArray<number>
  /** The identifiers of a pre-release; none for a release. */
  readonly preRelease: ReadonlyArray<string>
}

const form = /^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

const parse = (text: string): SemanticVersion | null => {
  const [, major, minor, patch, preRelease] = form.exec(text) ?? []
  if (major === undefined) return null
  const identifiers = preRelease?.split(".") ?? []
  if (identifiers.some((one) => one === "" || /^0\d+$/.test(one))) return null
  return { numbers: [major, minor, patch].map(Number), preRelease: identifiers }
}

/**
 * Whether one version is strictly older than another. What is no semantic version is neither older nor newer than anything.
 *
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category versions
 */
export const isOlderVersion = (one: string, other: string): boolean => {
  const [left, right] = [parse(one), parse(other)]
  if (left === null || right === null) return false
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return isEarlier(left.preRelease, right.preRelease)
}

/** Of two pre-releases of one version; the release itself is later than all of them. */
const isEarlier = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  if (left.length === 0 || right.length === 0) return left.length > right.length
  for (const [index, one] of left.entries()) {
    const other = right[index]
    if (other === undefined) return false
    if (one === other) continue
    const areNumbers = [isNumber(one), isNumber(other)]
    if (areNumbers[0] && areNumbers[1]) return Number(one) < Number(other)
    // Numbers come before words.
    return areNumbers[0] === areNumbers[1] ? one < other : areNumbers[0] === true
  }
  return left.length < right.length
}

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier)
