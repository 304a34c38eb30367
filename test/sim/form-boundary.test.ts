import { expect, test } from "vitest"
import { drawBoundary } from "../../src/sim/form-boundary.ts"
import { withSim } from "../../src/sim.ts"

/** A form as undici has written it with a number of the machine. */
const written = (drawn: string) => {
  const boundary = `----formdata-undici-0${drawn}`
  const text = `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--${boundary}--\r\n`
  return {
    headers: new Headers({ "content-type": `multipart/form-data; boundary=${boundary}` }),
    body: new TextEncoder().encode(text)
  }
}

const sent = (drawn: string, seed = 1) =>
  withSim({ seed }, () => {
    const { headers, body } = written(drawn)
    drawBoundary(headers, body)
    return { type: headers.get("content-type") ?? "", text: new TextDecoder().decode(body) }
  })

// Seen to fail when boundaries stayed as they were drawn.
test("the boundary of a form follows from the seed of its run, in head and body", async () => {
  const one = await sent("12345678901")

  expect(await sent("09876543210")).toEqual(one)
  expect((await sent("12345678901", 2)).type).not.toBe(one.type)
  const boundary = /boundary=(.*)$/.exec(one.type)?.[1] ?? "none"
  expect(boundary).toMatch(/^----formdata-undici-0\d{11}$/)
  expect(one.text.split(boundary)).toHaveLength(3)
})

test("a boundary that somebody has chosen stays", async () => {
  const type = "multipart/form-data; boundary=mine"
  const headers = new Headers({ "content-type": type })
  await withSim({}, () => drawBoundary(headers, new Uint8Array()))

  expect(headers.get("content-type")).toBe(type)
})
