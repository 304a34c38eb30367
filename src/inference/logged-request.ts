import { firstHeader, isPlainText } from "../domain/request.ts"
import type { LoggedRequest } from "./log-slot.ts"
import type { PassedRequest } from "./transport.ts"

/** What the log keeps: body, headers and authorization only of requests that carry a body. */
export const logOf = ({ head, json }: PassedRequest, path: string): LoggedRequest => {
  if (json === null) {
    return { method: "GET", path, bodyText: null, authorization: undefined, headers: [] }
  }
  const authorization = firstHeader(head.headers, "authorization")
  return {
    method: head.method,
    path,
    bodyText: json.text,
    authorization: authorization !== undefined && isPlainText(authorization) ? authorization : undefined,
    headers: head.headers
  }
}
