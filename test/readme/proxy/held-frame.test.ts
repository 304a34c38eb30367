import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { createInterface } from "node:readline"
import { spawnFaultProxy } from "llm-understudy/proxy"
import { expect, test } from "vitest"

const say = (socket: Socket, method: string) => socket.write(`${JSON.stringify({ method })}\n`)

test("of two clients that save at once, the first one's save arrives last", async () => {
  const saved: Array<string> = []
  const server = createServer((socket) => {
    createInterface(socket).on("line", (line) => {
      saved.push(JSON.parse(line).method)
      socket.write("{}\n")
    })
  })
  server.listen(4311, "127.0.0.1")
  await once(server, "listening")
  const hold = { match: { method: "save/first" }, action: { type: "hold", barrier: "first save" } } as const
  await using proxy = await spawnFaultProxy(
    "tcp:127.0.0.1:0",
    "tcp:127.0.0.1:4311",
    { rules: [hold] },
    { framing: "ndjson" }
  )
  const [first, second] = [connect(proxy.address), connect(proxy.address)]

  say(first, "save/first")
  await proxy.waitForHeld("first save")
  say(second, "save/second")
  await once(second, "data")
  expect(saved).toEqual(["save/second"])
  proxy.release("first save")
  await once(first, "data")

  expect(saved).toEqual(["save/second", "save/first"])
  server.close()
})
