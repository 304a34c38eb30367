/** A header as it arrived: lower-case name, value. */
export type Header = readonly [name: string, value: string]

/**
 * The head of a request. `target` is the request target as sent; headers are in arrival order, repeated ones included,
 * bytes that are not UTF-8 replaced.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestHead {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<Header>
}

/** The value of the first header with this lower-case name. */
export const firstHeader = (headers: ReadonlyArray<Header>, name: string): string | undefined => {
  for (const header of headers) if (header[0] === name) return header[1]
  return undefined
}

const visible = /^[\t\x20-\x7e]*$/

/** The first value, trimmed; `undefined` when it is absent, blank, or holds anything but visible ASCII and tabs. */
export const plainHeader = (headers: ReadonlyArray<Header>, name: string): string | undefined => {
  const value = firstHeader(headers, name)
  if (value === undefined || !visible.test(value)) return undefined
  const trimmed = value.trim()
  return trimmed === "" ? undefined : trimmed
}

/** True when every character is visible ASCII, a space or a tab. */
export const isPlainText = (value: string): boolean => visible.test(value)
