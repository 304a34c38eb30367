import fc from "fast-check"
import { expect, it } from "vitest"
import { rawPost, startLive } from "../support/live-world.ts"
import { seed } from "../support/seed.ts"

const routes = [
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/messages",
  "/v1/models",
  "/sessions/a/data",
  "/v1/storage",
  "/"
]
const bodies = ["{}", '{"stream":true}', '{"messages":[{"role":"user","content":"x"}],"tools":[1,2]}', "[[[", ""]

const good = fc
  .tuple(
    fc.constantFrom(...routes),
    fc.constantFrom(...bodies),
    fc.constantFrom("x-grok-req-id: a", "expect: 100-continue", "a: b")
  )
  .map(([path, body, header]) => rawPost(path, body, [header]))

/** One edit of a text: something put in, taken out, or doubled, at a place given as a fraction. */
const edit = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom("insert", "delete", "double", "flip"),
  fc.uint8Array({ minLength: 1, maxLength: 8 })
)

const edited = (bytes: Buffer, [where, how, put]: typeof edit extends fc.Arbitrary<infer A> ? A : never): Buffer => {
  const at = Math.floor(where * bytes.length)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  if (how === "insert") return Buffer.concat([before, put, after])
  if (how === "delete") return Buffer.concat([before, after.subarray(put.length)])
  if (how === "double") return Buffer.concat([before, after, after])
  return Buffer.concat([
    before,
    Buffer.from(after.subarray(0, 4).map((byte, index) => byte ^ (put[index] ?? 1))),
    after.subarray(4)
  ])
}

const mutated = fc
  .tuple(fc.array(good, { minLength: 1, maxLength: 3 }), fc.array(edit, { maxLength: 4 }))
  .map(([requests, edits]) => edits.reduce(edited, Buffer.from(requests.join(""))))

const sent = fc.oneof(
  { weight: 4, arbitrary: mutated },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) }
)

/** Where the bytes are cut into writes. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 })

it("random and mutated requests, in any pieces, leave the server alive and free", async () => {
  const world = await startLive({ token: "key" })

  await fc.assert(
    fc.asyncProperty(sent, cuts, fc.boolean(), async (bytes, fractions, leavesEarly) => {
      const client = world.open()
      client.socket.setNoDelay(true)
      const places = [0, ...fractions.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b)]
      for (const [index, from] of places.entries()) client.write(bytes.subarray(from, places[index + 1]))
      if (leavesEarly) client.leave()
      else client.socket.end()
      await client.readToEnd()
      await world.waitConnections(0)

      const check = world.open()
      check.write("GET / HTTP/1.1\r\nhost: mock\r\nconnection: close\r\n\r\n")
      expect(await check.readToEnd()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      await world.waitConnections(0)
    }),
    { numRuns: Number(process.env["RUNS"] ?? 1_000), seed }
  )

  // Not all were nonsense.
  expect(world.server.requestCount()).toBeGreaterThan(50)
  expect(world.armed()).toBe(0)
  expect(await world.server.close()).toEqual({ blocked: [] })
})
