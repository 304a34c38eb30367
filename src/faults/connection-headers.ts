import { firstHeader, type RequestHead } from "../domain/request.ts"

type HeaderList = ReadonlyArray<readonly [name: string, value: string]>

/** Whether the client wants the connection to end with this answer. */
const wantsClose = ({ headers }: RequestHead): boolean =>
  (firstHeader(headers, "connection") ?? "").split(",").some((token) => token.trim().toLowerCase() === "close")

/** How long a connection may be idle, as clients are told. It is kept longer: none is closed for being idle. */
const keepAliveSeconds = 5

const errorStatusMin = 400

/**
 * What the server says about the connection and the date, beside what a behaviour says.
 *
 * **Takes** `wallMs`: milliseconds since 1970; `status`: errors alone tell an idle time
 * **Source** fault-server.md, section 1.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const connectionHeaders = (
  head: RequestHead,
  { wallMs, status }: { readonly wallMs: number; readonly status: number }
): HeaderList => {
  const date: HeaderList = [["date", new Date(wallMs).toUTCString()]]
  if (wantsClose(head)) return [["connection", "close"], ...date]
  const keepAlive: HeaderList = status < errorStatusMin ? [] : [["keep-alive", `timeout=${keepAliveSeconds}`]]
  return [["connection", "keep-alive"], ...keepAlive, ...date]
}
