import { expect, test } from "vitest"
import { copiedBytes } from "../../src/domain/copied-bytes.ts"

// Seen to fail with `slice`.
test("a copy has memory of its own, that of a buffer too", () => {
  const buffer = Buffer.from("abcdef").subarray(1)
  const [all, part] = [copiedBytes(buffer), copiedBytes(buffer, 1, 3)]
  buffer.fill(0)

  expect([all, part]).toEqual([Uint8Array.from(Buffer.from("bcdef")), Uint8Array.from(Buffer.from("cd"))])
  expect([all.buffer.byteLength, part.buffer.byteLength]).toEqual([5, 2])
})
