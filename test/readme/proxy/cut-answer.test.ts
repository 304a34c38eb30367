import { once } from "node:events"
import { connect, createServer } from "node:net"
import { createInterface } from "node:readline"
import { type FaultProxy, spawnFaultProxy } from "llm-understudy/proxy"
import { expect, test } from "vitest"

/** What is to be tested: asks again when the connection is cut before a whole answer has come. */
const ask = async ({ address }: FaultProxy): Promise<unknown> => {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const socket = connect(address)
    socket.on("error", () => {})
    socket.write(`${JSON.stringify({ id: attempt, method: "work" })}\n`)
    let text = ""
    for await (const chunk of socket.setEncoding("utf8")) {
      text += chunk
      if (text.endsWith("\n")) return JSON.parse(text)
    }
  }
  throw new Error("cut three times")
}

test("a client asks again when its answer is cut in the middle", async () => {
  const server = createServer((socket) => {
    createInterface(socket).on("line", (line) => socket.write(`${JSON.stringify({ id: JSON.parse(line).id })}\n`))
  })
  server.listen(4310, "127.0.0.1")
  await once(server, "listening")
  // The first connection is cut behind four bytes of its answer; the others are spared.
  const cut = {
    direction: "u2c",
    connection: 1,
    match: { index: 1 },
    action: { type: "sever", afterBytes: 4 }
  } as const
  await using proxy = await spawnFaultProxy(
    "tcp:127.0.0.1:0",
    "tcp:127.0.0.1:4310",
    { rules: [cut] },
    { framing: "ndjson" }
  )

  expect(await ask(proxy)).toEqual({ id: 2 })

  expect(proxy.totals()).toMatchObject({ accepted: 2, severed: 1 })
  expect(proxy.connections()[0]?.leaderToClient).toMatchObject({ received: 1, severed: 1, bytesOut: 4 })
  server.close()
})
