import type { Header } from "./request.ts"

/**
 * Headers whose values are keys, as providers and gateways call them: what is told about a request shows none of them.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSecretHeader = (name: string): boolean =>
  /^(?:authorization|proxy-authorization|cookie)$|(?:api-?key|subscription-key|-token|-secret)$/i.test(name)

/** A shorter beginning of a secret is no give-away, and may be any word. */
const tellingLength = 8

/** A part of a text: from the first character that is hidden up to the first that is shown again. */
export interface SecretSpan {
  readonly from: number
  readonly to: number
}

/**
 * Where secrets of these headers stand in a text, also where one was cut short.
 *
 * @since 0.1.0
 * @category guards
 */
export const secretSpans = (text: string, headers: ReadonlyArray<Header>): ReadonlyArray<SecretSpan> =>
  secretsOf(headers).flatMap((secret) => spansOf(text, secret))

/**
 * A text in which no secret of these headers can be read any more, also where it was cut short.
 *
 * @since 0.1.0
 * @category guards
 */
export const withoutSecrets = (text: string, headers: ReadonlyArray<Header>): string =>
  secretsOf(headers).reduce(hide, text)

const secretsOf = (headers: ReadonlyArray<Header>): ReadonlyArray<string> => {
  const values = headers.filter(([name]) => isSecretHeader(name)).flatMap(([, value]) => value.split(/[\s;=,"]+/))
  return [...new Set(values.filter((secret) => secret.length >= tellingLength))]
}

const hide = (text: string, secret: string): string => {
  let hidden = ""
  let end = 0
  for (const { from, to } of spansOf(text, secret)) {
    hidden += `${text.slice(end, from)}***`
    end = to
  }
  return hidden + text.slice(end)
}

const spansOf = (text: string, secret: string): ReadonlyArray<SecretSpan> => {
  const beginning = secret.slice(0, tellingLength)
  const spans: Array<SecretSpan> = []
  let to = 0
  for (let from = text.indexOf(beginning); from >= 0; from = text.indexOf(beginning, to)) {
    let length = tellingLength
    while (length < secret.length && text[from + length] === secret[length]) length++
    to = from + length
    spans.push({ from, to })
  }
  return spans
}
