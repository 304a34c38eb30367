/**
 * The headers of an event stream that belong to its content; ids and framing are added by who sends it. `isBare` leaves
 * the character set out, as profile compact does.
 *
 * **Source** fault-server.md, section 1.1; wire-formats.md, section 1.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const streamHeaders = ({
  isBare = false
}: {
  readonly isBare?: boolean
} = {}): ReadonlyArray<readonly [name: string, value: string]> => [
  ["content-type", isBare ? "text/event-stream" : "text/event-stream; charset=utf-8"],
  ["cache-control", "no-cache"]
]
