/**
 * Leaves the comments of an event stream out, with the empty lines behind them, as they come in pieces: a server sends them to keep
 * a connection alive, so that they say how long a copy waited and not what it is.
 *
 * @since 0.1.0
 * @category readers
 */
export const withoutComments = (): ((bytes: Uint8Array) => Uint8Array) => {
  let at: "lineStart" | "line" | "comment" | "behindComment" = "lineStart"
  return (bytes) => {
    const kept = new Uint8Array(bytes.byteLength)
    let length = 0
    for (const byte of bytes) {
      if (at === "behindComment" && byte !== newline && byte !== carriageReturn) at = "lineStart"
      const isDropped = at === "comment" || at === "behindComment" || (at === "lineStart" && byte === colon)
      if (!isDropped) kept[length++] = byte
      if (at === "lineStart" && byte === colon) at = "comment"
      else if (at === "comment") at = byte === newline ? "behindComment" : "comment"
      else if (byte === newline) at = "lineStart"
      else if (at === "lineStart") at = "line"
    }
    return kept.subarray(0, length)
  }
}

const newline = 10
const carriageReturn = 13
const colon = 58
