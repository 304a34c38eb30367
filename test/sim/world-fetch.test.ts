import nodeCrypto from "node:crypto"
import { expect, test } from "vitest"
import { withSim } from "../../src/sim.ts"

const causeOf = (asked: Promise<Response>): Promise<unknown> =>
  asked.then(
    (response) => response.status,
    (error: Error) => error.cause
  )

// Seen to fail when https: was as good as http:, and when a connection that was open was taken for it.
test("https: to a server of the world fails as it does live", async () => {
  const cause = await withSim({}, async (sim) => {
    const server = await sim.startServer()
    const url = `${server.url()}/models`
    await (await sim.fetch("ann")(url)).text()
    return causeOf(sim.fetch("ann")(url.replace("http:", "https:")))
  })

  expect(cause).toMatchObject({ code: "ERR_SSL_WRONG_VERSION_NUMBER" })
})

test("data: URLs are read, and need no network", async () => {
  const text = await withSim({}, async (sim) => (await sim.fetch("ann")("data:text/plain,hello")).text())

  expect(text).toBe("hello")
})

test.each([
  ["upgrade", "websocket", "UND_ERR_INVALID_ARG"],
  ["transfer-encoding", "chunked", "UND_ERR_INVALID_ARG"],
  ["keep-alive", "5", "UND_ERR_INVALID_ARG"],
  ["expect", "100-continue", "UND_ERR_NOT_SUPPORTED"]
])("the header %s is refused, as live", async (name, value, code) => {
  const cause = await withSim({}, async (sim) => {
    const server = await sim.startServer()
    return causeOf(sim.fetch("ann")(`${server.url()}/models`, { headers: { [name]: value } }))
  })

  expect(cause).toMatchObject({ code })
})

// Only newer versions of Node have it.
const dated: unknown = Reflect.get(nodeCrypto, "randomUUIDv7")

test.skipIf(dated === undefined)(
  "a UUID that begins with the date has that of the run, and follows from its seed",
  async () => {
    const draw = () =>
      withSim({ seed: 1 }, async (sim) => {
        const uuid = (): string => String(Reflect.apply(Reflect.get(nodeCrypto, "randomUUIDv7"), nodeCrypto, []))
        const first = [uuid(), uuid()]
        await sim.sleep(1_000)
        return [...first, uuid()]
      })
    const drawn = await draw()

    expect(await draw()).toEqual(drawn)
    expect(new Set(drawn).size).toBe(3)
    for (const uuid of drawn)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const [, second = "", third = ""] = drawn.map((uuid) => Number.parseInt(uuid.replace("-", "").slice(0, 12), 16))
    expect(Number(third) - Number(second)).toBe(1_000)
  }
)
