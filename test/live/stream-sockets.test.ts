import { existsSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { streamContract } from "../ports/stream-contract.ts"
import { connect, listen, right } from "../ports/stream-world.ts"

describe("sockets of this machine", () => {
  streamContract(liveStreamWorld)

  it("leave at their path what somebody else has put there when they are closed", async () => {
    const { streams, freshPath } = liveStreamWorld()
    const path = freshPath()
    const first = right(await listen(streams, { kind: "unix", path }))
    rmSync(path)
    const second = right(await listen(streams, { kind: "unix", path }))

    await first.close()

    const near = right(await connect(streams, { kind: "unix", path }))
    await near.write("to the second")
    const far = await second.accepted()
    await far.has(13)
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
    await second.close()
    expect(existsSync(path)).toBe(false)
  })
})
