import fc from "fast-check"
import { expect, test } from "vitest"
import { LeaderNotReady } from "../src/domain/harness-scope-errors.ts"
import { leaderPidIn } from "../src/harness/leader/leader-home.ts"
import { type ClosableClient, withLeader } from "../src/harness/leader/with-leader.ts"
import { leaderScenes } from "./arbitraries/leader-scenes.ts"
import { checkProperty } from "./check.ts"
import { playLeaderScene } from "./observation/leader-scene.ts"

// Seen to fail, each within 120 cases, on these bugs, planted one at a time. In the chart: it closes with clients; a client is not
// released, or none is; a leader that runs is reaped; nobody hears that it could not be stopped. In src/harness/leader: the old leader is
// taken for a new one, or a dead one; a client that did not start stays registered, one is released twice, or when it could not be ended;
// the end of the leader is not waited for when it is closed, or reaped; closes of a leader that cannot be killed hang.
test("a fixture signals nobody but its own, counts its clients, and closes when nothing of it is left (L2 to L5)", () => {
  const property = fc.asyncProperty(leaderScenes, async (scene) => {
    const { broken, startError } = await playLeaderScene(scene)

    expect(broken).toEqual([])
    if (startError !== undefined) expect(startError).toBeInstanceOf(LeaderNotReady)
  })
  return checkProperty("harness leader: fixtures", property, { runs: 300 })
})

test("the same scene has the same trace", () => {
  const property = fc.asyncProperty(leaderScenes, async (scene) => {
    const [one, other] = [await playLeaderScene(scene), await playLeaderScene(scene)]

    expect(one.stage.trace.events()).toEqual(other.stage.trace.events())
    expect(one.stage.machine.signals).toEqual(other.stage.machine.signals)
  })
  return checkProperty("harness leader: traces", property, { runs: 25 })
})

/** Texts that are numbers, nearly are, or are anything. */
const lockTexts = fc.oneof(
  fc
    .tuple(fc.constantFrom("", " ", "\n", "\t\n"), fc.nat(), fc.constantFrom("", "\n", " \n"))
    .map((parts) => parts.join("")),
  fc.stringMatching(/^[ \n0-9x+-]{0,24}$/),
  fc.string({ unit: "binary", maxLength: 12 })
)

// Seen to fail on these: 0 is a leader; what stands behind the number does not matter.
test("a lock file names a leader only when it holds one number, in range (L1)", () => {
  const property = fc.property(lockTexts, (text) => {
    const pid = leaderPidIn(text)
    const digits = /^\s*[0-9]+\s*$/.test(text) ? text.trim() : null

    if (digits === null) expect(pid).toBe(null)
    else expect(pid).toBe(BigInt(digits) >= 1n && BigInt(digits) <= 2_147_483_647n ? Number(digits) : null)
  })
  checkProperty("harness leader: lock files", property, { runs: 500 })
})

/** Whether the body fails, each of the clients with both ways to end it, and the fixture. */
const endings = fc.record({
  body: fc.boolean(),
  clients: fc.array(fc.record({ graceful: fc.boolean(), hard: fc.boolean() }), { maxLength: 4 }),
  fixture: fc.boolean()
})

const failing = async (what: string, fails: boolean): Promise<string> => {
  if (fails) throw new Error(what)
  return what
}

// Seen to fail on these: the fixture is closed although a client is left; a failure of the end beats that of the body.
test("a failure of the body beats one of the end, and no client is closed behind its fixture (L8)", () => {
  const property = fc.asyncProperty(endings, async ({ body, clients, fixture }) => {
    const done: Array<string> = []
    const doing = (what: string, fails: boolean): Promise<string> => {
      done.push(what)
      return failing(what, fails)
    }
    const told: Array<string> = []
    const outcome = await withLeader(
      {
        clients: () =>
          clients.map(
            ({ graceful, hard }, at): ClosableClient => ({
              close: () => doing(`close ${at}`, graceful),
              killAndClose: () => doing(`kill ${at}`, hard),
              containFailedCleanup: () => done.push(`contain ${at}`)
            })
          ),
        close: async () => void (await doing("close fixture", fixture)),
        contain: () => done.push("contain fixture"),
        tell: (line) => told.push(line)
      },
      () => failing("body", body)
    ).then(
      (value) => ({ value }),
      (error: Error) => ({ error: error.message })
    )

    const hopeless = clients.flatMap(({ graceful, hard }, at) => (graceful && hard ? [at] : []))
    expect(done).toEqual([
      ...clients.flatMap(({ graceful }, at) => (graceful ? [`close ${at}`, `kill ${at}`] : [`close ${at}`])),
      ...(hopeless.length === 0 ? ["close fixture"] : [...hopeless.map((at) => `contain ${at}`), "contain fixture"])
    ])
    const [first] = hopeless
    const cleanup =
      first === undefined
        ? fixture
          ? "close fixture"
          : null
        : `cleaning up failed:\n  close ${first}\n  kill ${first}`
    if (body) expect(outcome).toEqual({ error: "body" })
    else expect(outcome).toEqual(cleanup === null ? { value: "body" } : { error: cleanup })
    expect(told).toEqual(body && cleanup !== null ? [`warning: ${cleanup}`] : [])
  })
  return checkProperty("harness leader: ends", property, { runs: 300 })
})
