/** The 97.5 % point of the normal distribution. */
const z = 1.959963984540054

/**
 * Between which shares the true share lies when `count` of `total` were seen, with 95 % confidence (Wilson 1927).
 *
 * **Takes** whole numbers, 0 <= count <= total and total > 0
 *
 * @since 0.1.0
 * @category faults
 */
export const wilsonInterval = (options: {
  readonly count: number
  readonly total: number
}): { readonly low: number; readonly high: number } => {
  const { count, total } = options
  const share = count / total
  const zz = (z * z) / total
  const middle = (share + zz / 2) / (1 + zz)
  const reach = Math.sqrt(share * (1 - share) * zz + (zz * zz) / 4) / (1 + zz)
  // At the ends the formula gives exactly 0 or 1, and rounding a little less or more.
  return {
    low: count === 0 ? 0 : Math.max(0, middle - reach),
    high: count === total ? 1 : Math.min(1, middle + reach)
  }
}
