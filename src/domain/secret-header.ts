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

/**
 * A text in which no secret of these headers can be read any more, also where it was cut short.
 *
 * @since 0.1.0
 * @category guards
 */
export const withoutSecrets = (text: string, headers: ReadonlyArray<Header>): string => {
  let hidden = text
  for (const [name, value] of headers) {
    if (!isSecretHeader(name)) continue
    for (const secret of value.split(/[\s;=,"]+/)) if (secret.length >= tellingLength) hidden = hide(hidden, secret)
  }
  return hidden
}

const hide = (text: string, secret: string): string => {
  const beginning = secret.slice(0, tellingLength)
  let hidden = ""
  let from = 0
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, from)) {
    let length = tellingLength
    while (length < secret.length && text[at + length] === secret[length]) length++
    hidden += `${text.slice(from, at)}***`
    from = at + length
  }
  return hidden + text.slice(from)
}
