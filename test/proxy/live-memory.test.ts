import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { frame, over, proxyRun } from "./proxy-world.ts"

// Scenarios 83 and 89 of agent-harness.md, section 9, for what the process keeps beside its heap; what could be given back is given back first.

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

const keptBytes = async (): Promise<number> => {
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().arrayBuffers
}

const mebibyte = 1_048_576

// Seen to fail when a source is not paused.

test.each(["unix", "tcp"] as const)(
  "89. a proxy over %s keeps less than 4 MiB for a receiver that does not read",
  async (kind) => {
    const { world, proxy, through } = await proxyRun(liveStreamWorld(), { kind, isUpstreamPaused: true })
    const { client, upstream } = await through()
    // The same bytes again and again: the sender keeps no more of them than one frame.
    const body = frame(new Uint8Array(mebibyte - 4))
    const before = await keptBytes()

    for (let n = 0; n < 256; n++) void client.write(body)
    await world.quiet()

    expect((await keptBytes()) - before).toBeLessThan(4 * mebibyte)
    expect(proxy.severNow()).toBe(1)
    upstream.socket.resume()
    await Promise.all([over(client), over(upstream)])
    await proxy.stop()
  }
)

test.each([
  ["forward", 0x0400_0000],
  ["drop", 0x0400_0000],
  ["drop", 0x0400_0001]
] as const)("83. a length takes no memory before its bytes come, tail %s, %i bytes", async (tail, length) => {
  const { world, proxy, through } = await proxyRun(liveStreamWorld(), { tail })
  const { client } = await through()
  const header = new Uint8Array(4)
  new DataView(header.buffer).setUint32(0, length)
  const before = await keptBytes()

  void client.write(Buffer.concat([header, new Uint8Array(100)]))
  await world.quiet()

  expect((await keptBytes()) - before).toBeLessThan(mebibyte)
  await proxy.stop()
})
