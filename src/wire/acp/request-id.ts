import { memberToken } from "./member-token.ts"

/**
 * What makes two ids the same: a text by its value, however it is escaped; anything else by how it is written.
 *
 * **Takes** the token of an id as it stands on the wire
 *
 * @since 0.1.0
 * @category encoding
 */
export const idKey = (token: string): string => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token)

/**
 * The id in the parameters of a `$/cancel_request`, as it is written; `null` when there is none.
 *
 * **Takes** the text of the notification, which parses as a JSON object
 *
 * @since 0.1.0
 * @category encoding
 */
export const cancelledId = (line: string): string | null => {
  const params = memberToken(line, "params")
  return params?.startsWith("{") === true ? memberToken(params, "requestId") : null
}
