import { describe, expect, it } from "vitest"
import { CleanupFailed } from "../../../src/domain/harness-scope-errors.ts"
import { type ClosableClient, type ClosableFixture, withLeader } from "../../../src/harness/leader/with-leader.ts"
import { liveLeaderWorld, startSmallLeader } from "./live-leader.ts"

/** How the two ways to end a client fail; `null` is well. */
interface Ends {
  readonly graceful: string | null
  readonly hard: string | null
}

const failing = async (message: string | null): Promise<void> => {
  if (message !== null) throw new Error(message)
}

/** A fixture with clients whose ends go as they are told, and what was done to it, in order. */
const scripted = (ends: ReadonlyArray<Ends>, closing: string | null = null) => {
  const done: Array<string> = []
  const told: Array<string> = []
  const clients = ends.map(
    ({ graceful, hard }, index): ClosableClient => ({
      close() {
        done.push(`close ${index}`)
        return failing(graceful)
      },
      killAndClose() {
        done.push(`kill ${index}`)
        return failing(hard)
      },
      containFailedCleanup: () => done.push(`contain ${index}`)
    })
  )
  const fixture: ClosableFixture = {
    clients: () => clients,
    close() {
      done.push("close fixture")
      return failing(closing)
    },
    contain: () => done.push("contain fixture"),
    tell: (line) => told.push(line)
  }
  return { fixture, done, told }
}

const fine: Ends = { graceful: null, hard: null }
const rescued: Ends = { graceful: "still there", hard: null }
const hopeless: Ends = { graceful: "it does not listen", hard: "it does not die" }

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error) => error
  )

describe("withLeader", () => {
  it("contains the fixture and does not close it when a client cannot be ended, and says both failures (74)", async () => {
    const { fixture, done } = scripted([hopeless])

    const failure = await failureOf(withLeader(fixture, async () => 1))

    expect(failure).toBeInstanceOf(CleanupFailed)
    expect(String(failure)).toMatch(/it does not listen\n.*it does not die/)
    expect(done).toEqual(["close 0", "kill 0", "contain 0", "contain fixture"])
  })

  it("takes a client that was killed at last for ended, and closes the fixture once (74)", async () => {
    const { fixture, done } = scripted([rescued, fine])

    expect(await withLeader(fixture, async () => "done")).toBe("done")
    expect(done).toEqual(["close 0", "kill 0", "close 1", "close fixture"])
  })

  it("ends every client, the first failure counts, and only those that are left are contained", async () => {
    const { fixture, done } = scripted([fine, hopeless, fine, { graceful: "second", hard: "second" }])

    const failure = await failureOf(withLeader(fixture, async () => 1))

    expect(String(failure)).toContain("it does not die")
    expect(String(failure)).not.toContain("second")
    expect(done).toEqual([
      "close 0",
      "close 1",
      "kill 1",
      "close 2",
      "close 3",
      "kill 3",
      "contain 1",
      "contain 3",
      "contain fixture"
    ])
  })

  it("fails with what the body fails with, and only says what else went wrong", async () => {
    const { fixture, told } = scripted([], "it does not close")

    expect(await failureOf(withLeader(fixture, () => Promise.reject(new Error("the test"))))).toEqual(
      new Error("the test")
    )
    expect(told).toEqual(["warning: it does not close"])
    expect(String(await failureOf(withLeader(fixture, async () => 1)))).toContain("it does not close")
  })

  it("leaves nothing of a real leader and its clients", async () => {
    const world = liveLeaderWorld()

    const texts = await withLeader(await startSmallLeader(world), async (fixture) => {
      const clients = [await fixture.spawnClient(), await fixture.spawnClient()]
      for (const client of clients) {
        await client.initialize()
        const { sessionId } = await client.createSession(fixture.sandbox.paths.workspace)
        await client.prompt(sessionId, "hello")
      }
      return clients.map((client) => client.capturedText())
    })

    expect(texts).toEqual(["Echo: hello", "Echo: hello"])
    expect(world.host.alive()).toEqual([])
  })
})
