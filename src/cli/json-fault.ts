/** What may come next in a JSON text. */
type Wanted = "value" | "value or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "the end"

const blank = /[ \t\n\r]*/y
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

/**
 * Where a text stops being JSON, and what could have stood there. `JSON.parse` says so on no Node reliably.
 *
 * **Gives** `undefined` for JSON
 *
 * @since 0.1.0
 * @category errors
 */
export const jsonFault = (text: string): { readonly offset: number; readonly wanted: string } | undefined => {
  const open: Array<"[" | "{"> = []
  let wanted: Wanted = "value"
  let at = skip(text, 0, blank)
  while (at < text.length) {
    const char = text.charAt(at)
    const next = follow(wanted, char, open)
    const end: number =
      next === "string"
        ? skip(text, at, string)
        : next === "scalar"
          ? skip(text, at, scalar)
          : next === null
            ? at
            : at + 1
    if (end === at || next === null) return { offset: at, wanted }
    if (next === "string" || next === "scalar") wanted = wanted.startsWith("key") ? ":" : after(open)
    else wanted = next
    at = skip(text, end, blank)
  }
  return wanted === "the end" ? undefined : { offset: at, wanted }
}

/** What a character begins, or what is wanted behind it. Brackets change `open`. */
const follow = (wanted: Wanted, char: string, open: Array<"[" | "{">): Wanted | "string" | "scalar" | null => {
  const isClose = wanted.endsWith(char) && (char === "]" || char === "}")
  if (isClose) {
    open.pop()
    return after(open)
  }
  if (wanted.startsWith("key")) return char === '"' ? "string" : null
  if (wanted === ":") return char === ":" ? "value" : null
  if (wanted === ", or ]") return char === "," ? "value" : null
  if (wanted === ", or }") return char === "," ? "key" : null
  if (wanted === "the end") return null
  if (char === "[" || char === "{") {
    open.push(char)
    return char === "[" ? "value or ]" : "key or }"
  }
  return char === '"' ? "string" : "scalar"
}

const after = (open: ReadonlyArray<"[" | "{">): Wanted => {
  const innermost = open.at(-1)
  if (innermost === undefined) return "the end"
  return innermost === "[" ? ", or ]" : ", or }"
}

/** The end of what a sticky pattern finds at an offset, or the offset. */
const skip = (text: string, at: number, pattern: RegExp): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
