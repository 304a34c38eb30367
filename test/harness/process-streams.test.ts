import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { AgentInputClosed } from "../../src/domain/harness-errors.ts"
import { lines, makeProcessWorld } from "./process-world.ts"

describe("the input of an owned process", () => {
  it("is an immediate end where it is not piped", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("cat; echo over")
    await process.wait()

    expect(process.stdout.text()).toBe("over\n")
    await expect(process.write("hello")).rejects.toThrow(AgentInputClosed)
  })

  it("arrives whole and in order, larger than any pipe, and ends when it is ended", async () => {
    const { node } = makeProcessWorld()
    const process = await node(
      `import { createHash } from "node:crypto"
       const hash = createHash("sha256")
       for await (const bytes of process.stdin) hash.update(bytes)
       console.log(hash.digest("hex"))`,
      { stdin: "piped" }
    )
    const hash = createHash("sha256")
    for (let n = 0; n < 32; n++) {
      const line = `${n} ${"x".repeat(65_535)}\n`
      hash.update(line)
      void process.write(line)
    }
    process.endInput()
    await process.wait()

    expect(process.stdout.text().trim()).toBe(hash.digest("hex"))
  })

  it("fails to whoever writes, and nowhere else, when the process has closed it", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("exec <&-; echo closed; sleep 100", { stdin: "piped", stdout: "piped" })
    await lines(process)
    // Nobody looks at this one.
    void process.write("lost")

    await expect(process.write("hello")).rejects.toThrow(AgentInputClosed)
    await process.kill()
    await expect(process.write("late")).rejects.toThrow(AgentInputClosed)
  })

  it("is held back by a process that does not read", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("echo ready; sleep 100", { stdin: "piped", stdout: "piped" })
    await lines(process)
    const written = process.write("x".repeat(8 * 1024 * 1024))

    expect(await Promise.race([written, process.waitFor(50)])).toBe("still running")
    await process.kill()
    await expect(written).rejects.toThrow(AgentInputClosed)
  })
})

describe("the output of an owned process", () => {
  it("is held back by a reader that pauses, and none of it is lost", async () => {
    const { node } = makeProcessWorld()
    const size = 4 * 1024 * 1024
    const process = await node(`process.stdout.write("x".repeat(${size}))`, { stdout: "piped" })
    let seen = 0
    const ended = new Promise<string | null>((resolve) => {
      process.read("stdout", {
        received(bytes, flow) {
          seen += bytes.byteLength
          flow.pause()
          setImmediate(() => flow.resume())
        },
        ended: resolve
      })
    })

    expect(await ended).toBeNull()
    expect(seen).toBe(size)
    expect(process.stdout.bytesSeen()).toBe(size)
  })

  it("is not read while its reader pauses", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("yes", { stdout: "piped" })
    await new Promise<void>((resolve) => {
      process.read("stdout", {
        received(_, flow) {
          flow.pause()
          resolve()
        },
        ended: () => {}
      })
    })

    expect(await process.waitFor(100)).toBe("still running")
    expect(process.stdout.bytesSeen()).toBeLessThan(512 * 1024)
  })

  it("waits for its reader", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("echo one; echo two", { stdout: "piped" })
    await process.wait()

    expect(await lines(process, 2)).toEqual(["one", "two"])
    expect(() => process.read("stdout", { received: () => {}, ended: () => {} })).toThrow("read it once")
  })
})
