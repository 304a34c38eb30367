import { member } from "../domain/json.ts"

/**
 * What stands at a JSON pointer.
 *
 * **Takes** a pointer of valid form: empty for the whole value, or keys and indexes each behind a `/`
 * **Gives** `undefined` where nothing stands
 * **Source** RFC 6901
 *
 * @since 0.1.0
 * @category encoding
 */
export const valueAt = (value: unknown, pointer: string): unknown => {
  const keys = pointer.split("/").slice(1)
  return keys.reduce((found: unknown, key) => step(found, unescaped(key)), value)
}

/** Hardly a key has anything to replace, and proxies ask for every frame. */
const unescaped = (key: string): string => (key.includes("~") ? key.replaceAll("~1", "/").replaceAll("~0", "~") : key)

const step = (value: unknown, key: string): unknown => {
  if (!Array.isArray(value)) return member(value, key)
  return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
}
