import { firstHeader, type RequestHead } from "../domain/request.ts"

type HeaderList = ReadonlyArray<readonly [name: string, value: string]>

/** Whether the client wants the connection to end with this answer. */
const wantsClose = ({ headers }: RequestHead): boolean =>
  (firstHeader(headers, "connection") ?? "").split(",").some((token) => token.trim().toLowerCase() === "close")

/** How long a connection may be idle, as clients are told. */
const keepAliveSeconds = 5

/**
 * What the server says about the connection and the date, beside what a behaviour says.
 *
 * **Takes** `wallMs`: milliseconds since 1970; `isStream`: streams tell no idle time
 * **Source** fault-server.md, section 1.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const connectionHeaders = (
  head: RequestHead,
  { wallMs, isStream }: { readonly wallMs: number; readonly isStream: boolean }
): HeaderList => {
  const date: HeaderList = [["date", new Date(wallMs).toUTCString()]]
  if (wantsClose(head)) return [["connection", "close"], ...date]
  const keepAlive: HeaderList = isStream ? [] : [["keep-alive", `timeout=${keepAliveSeconds}`]]
  return [["connection", "keep-alive"], ...keepAlive, ...date]
}
