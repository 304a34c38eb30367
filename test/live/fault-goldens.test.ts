import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { goldens } from "../faults/voices/goldens.ts"
import { formats } from "../faults/voices/written.ts"
import { bodyIn } from "../faults/wire/on-the-wire.ts"
import { openWire } from "../faults/wire/wire-client.ts"
import { toldFaults } from "../support/fault-world.ts"
import { rawPost } from "../support/live-world.ts"

const paths = { chat: "/v1/chat/completions", responses: "/v1/responses", messages: "/v1/messages" }
const body = JSON.stringify({ model: "m", messages: [], stream: true })

describe.each(goldens)("on the wire %s", (name, ...pinned) => {
  it.each(formats)("has the events, bytes and digest that the specification pins for %s", async (format) => {
    const { server, tell } = await toldFaults({ sequence: [name], chunkShape: "minimal" })
    const client = openWire(server.port)
    client.write(rawPost(paths[format], body, ["connection: close"]))
    await tell("request")
    await server.clock.advance("1 hour")
    const { chunksSent } = await tell("result")
    // What stalls ends with its server.
    if (name === "stall") await client.until(1)
    if (name === "stall") await server.close()
    await client.ended()

    const bytes = name === "connection_reset" ? Buffer.alloc(0) : bodyIn(client.received())
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
    expect(`${chunksSent} / ${bytes.byteLength} / ${digest}`).toBe(pinned[formats.indexOf(format)])
    client.socket.destroy()
  })
})
