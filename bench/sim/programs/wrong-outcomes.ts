/** Clients may fail as clients do on such a network; a run that does not end, or half an answer taken for a whole one, is wrong. */
export const wrongOutcomes = (outcomes: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const unknown = [...outcomes.keys()].filter((outcome) => !foreseen.test(outcome))
  const answered = [...outcomes]
    .filter(([outcome]) => outcome.startsWith("ok "))
    .reduce((sum, [, count]) => sum + count, 0)
  return [
    ...unknown.map((outcome) => `a client ended with "${outcome}"`),
    ...(answered === 0 ? ["no client got an answer"] : [])
  ]
}

const foreseen =
  /^(ok mock response recovered$|TypeError terminated|API\w*Error |BadRequestError 400|RateLimitError|InternalServerError)/
