/**
 * The only source of nondeterminism of a run.
 *
 * **Takes** `calmWeight`, where the calm answer is more likely than each of the others: so many times as likely, 1 by default. It is
 * for sources that follow chance; a search goes through the `n` answers, however rare they are
 * **Gives** an integer `0 <= k < n`, 0 being the calm default
 * **Source** DESIGN, section 3
 *
 * @since 0.1.0
 * @category services
 */
export interface Choice {
  draw(n: number, label: string, calmWeight?: number): number
}

/**
 * Which of `n` answers a number of any size stands for: one of as many as there would be if the calm answer were there
 * `calmWeight` times. The first `n` stand for themselves, so that an answer that was once given comes again.
 *
 * @since 0.1.0
 * @category kernel
 */
export const answerIn = (given: number, n: number, calmWeight = 1): number => {
  const answer = given % (n - 1 + calmWeight)
  return answer < n ? answer : 0
}

/**
 * One of `n` answers from a share of 1, evenly but for the calm one, whose share comes first.
 *
 * @since 0.1.0
 * @category kernel
 */
export const answerAt = (share: number, n: number, calmWeight = 1): number =>
  Math.max(0, Math.floor(share * (n - 1 + calmWeight)) - calmWeight + 1)
