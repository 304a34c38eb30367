import { hashedBytes } from "./fence-chance.ts"
import { anyTag } from "./fence-run.ts"

/** As undici makes it, from a function that it took from Node when it was loaded, and that no fence can reach then. */
const drawnByUndici = /^multipart\/form-data; boundary=----formdata-undici-0(\d{11})$/

/**
 * Lets the boundary of a form follow from the seed of its run, in the head of its request and in the body.
 *
 * @since 0.1.0
 * @category simulation
 */
export const drawBoundary = (headers: Headers, body: Uint8Array): void => {
  const tag = anyTag()
  const type = headers.get("content-type") ?? ""
  const drawn = drawnByUndici.exec(type)?.[1]
  if (tag === null || drawn === undefined) return
  const bytes = new Uint8Array(drawn.length)
  hashedBytes(tag, "boundary", bytes)
  const digits = [...bytes].map((byte) => byte % 10).join("")
  headers.set("content-type", type.replace(drawn, digits))
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const boundary = `----formdata-undici-0${drawn}`
  for (let at = text.indexOf(boundary); at !== -1; at = text.indexOf(boundary, at + 1)) {
    text.write(digits, at + boundary.length - digits.length)
  }
}
