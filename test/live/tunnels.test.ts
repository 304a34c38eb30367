import { expect, it } from "vitest"
import { liveFaults, toldFaults } from "../support/fault-world.ts"
import { openRaw, startLive } from "../support/live-world.ts"

const tunnel = "CONNECT somewhere:443 HTTP/1.1\r\nhost: somewhere:443\r\n\r\n"

it("a fault server refuses a tunnel as it refuses every other method, and ends the connection", async () => {
  const { server, told } = await toldFaults({ sequence: ["success"] })
  const client = openRaw(server.port)
  client.write(tunnel)

  expect(await client.readToEnd()).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[\s\S]*allow: POST\r\n/)
  expect(told.at(-1)).toMatchObject({ type: "rejected", reason: "method", status: 405 })
  expect(server.requests).toEqual([])
})

it("a fault server refuses a tunnel behind an answer under way when that is out", async () => {
  const { open } = await liveFaults({ sequence: ["slow_success"], chunkDelayMs: 5 })
  const client = open()
  client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 15\r\n\r\n{"stream":true}${tunnel}`)

  expect(await client.readToEnd()).toMatch(/^HTTP\/1\.1 200[\s\S]*\[DONE\][\s\S]*HTTP\/1\.1 405 /)
})

it("an inference server refuses a tunnel with an answer", async () => {
  const { open, server } = await startLive()
  const client = open()
  client.write(tunnel)

  expect(await client.readToEnd()).toMatch(/^HTTP\/1\.1 (?:404|405) /)
  expect(await server.close()).toEqual({ blocked: [] })
})

it("a server that is closed ends a tunnel that waits for its refusal", async () => {
  const { open, server, waitConnections } = await startLive()
  server.setHang(true)
  const client = open()
  client.write(tunnel)
  await waitConnections(1)

  await server.close({ drainMs: 0 })

  await client.readToEnd()
  await waitConnections(0)
})
