import { expect, test } from "vitest"
import { CleanupFailed, failureDetails, type Harness, ResourceLeak, withHarness } from "../../../src/harness.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"
import { simHarness, simProfile } from "./sim-harness.ts"

/* Numbers are those of the scenarios of agent-harness.md, section 9. */

const { cli } = fakeAgentProcesses()

test("what a body started that throws is given back in reverse, its error comes first, and nothing is leaked (97)", async () => {
  const failure = new Error("the body's own")
  const order: Array<string> = []
  const told: Array<string> = []
  /** Is given back between what was started before and after it. */
  const mark = (harness: Harness, name: string): void => void harness.defer(name, () => void order.push(name))
  const options = {
    variables: { FIXTURE_AGENT_BINARY: cli },
    timing: false,
    tell: (line: string) => void told.push(line)
  }

  const failed = withHarness(async (harness) => {
    const sandbox = await harness.makeSandbox({ profile: "fixture" })
    sandbox.defer(() => void order.push("sandbox"))
    mark(harness, "behind the sandbox")
    const mock = await harness.startMock()
    mock.watchTrace(({ type }) => void (type === "closed" && order.push("mock")))
    mark(harness, "behind the mock")
    const proxy = await harness.startProxy("tcp:127.0.0.1:0", mock.origin())
    proxy.watch(({ type }) => void (type === "stopped" && order.push("proxy")))
    mark(harness, "behind the proxy")
    // Its connection is kept for the next request, and is there when the body throws.
    expect((await fetch(`${proxy.url}/v1/models`)).status).toBe(200)
    expect(proxy.totals()).toMatchObject({ accepted: 1, active: 1 })
    const leader = await harness.startLeader({ profile: "fixture", mock })
    leader.sandbox.defer(() => void order.push("leader"))
    mark(harness, "behind the leader")
    const clients = [await leader.spawnClient(), await leader.spawnClient()]
    await Promise.all(clients.map((client) => client.initialize()))
    const [one, other] = [
      await harness.startAgent({ profile: "fixture", mock, sandbox }),
      await harness.startAgent({ profile: "fixture", mock })
    ]
    other.sandbox.defer(() => void order.push("other agent"))
    mark(harness, "behind the agents")
    await Promise.all([one.initialize(), other.initialize()])
    throw failure
  }, options)

  await expect(failed).rejects.toBe(failure)
  expect(order).toEqual([
    "behind the agents",
    "other agent",
    "behind the leader",
    "leader",
    "behind the proxy",
    "proxy",
    "behind the mock",
    "mock",
    "behind the sandbox",
    "sandbox"
  ])
  expect(told).toEqual([])
  expect(failureDetails(failure)).toMatchObject({ cleanup: null })
  expect(failureDetails(failure)?.transitions.length).toBeGreaterThan(20)
})

test("a finalizer that fails and one that takes too long are both named, and the others are called (98)", async () => {
  const { scope, settled, clock } = simHarness()
  const called: Array<string> = []
  scope.defer("the first", () => void called.push("the first"))
  scope.defer("the busy one", () => Promise.reject(new Error("EBUSY")))
  scope.defer("the slow one", () => new Promise(() => {}), { boundMs: 70 })
  scope.defer("the last", () => void called.push("the last"))

  const error = await settled(scope.close()).catch((failure: unknown) => failure)

  expect(error).toBeInstanceOf(CleanupFailed)
  expect(String(error)).toBe(
    "CleanupFailed: cleaning up failed:\n  the slow one: was not given back within 70 ms\n  the busy one: EBUSY"
  )
  expect([called, clock.now()]).toEqual([["the last", "the first"], 70])
  expect(failureDetails(error)?.transitions.at(-1)).toMatchObject({ chart: "harness-scope", state: "closed" })
})

test.each([[[]], [[1, 2, 0, 3, 1, 1, 2, 0, 3, 2, 1]]])(
  "the same body twice has the same steps: %j (99)",
  async (choices) => {
    const play = async () => {
      const { scope, run, settled, machine, files, clock } = simHarness({ stderr: ["hello"] }, { choices })
      const inner = scope.scope("inner")
      const agent = await settled(inner.startAgent({ profile: simProfile }))
      await settled(agent.initialize())
      const { sessionId } = await settled(agent.createSession("/w"))
      await settled(agent.prompt(sessionId, "say hello"))
      await settled(scope.startRawClient({ profile: simProfile }))
      await settled(scope.close())
      return { steps: run.transitions(), left: [machine.ours(), files.paths(), clock.armed()] }
    }

    const [once, again] = [await play(), await play()]

    expect(again).toEqual(once)
    expect(once.steps.length).toBeGreaterThan(50)
    expect(once.left).toEqual([[], ["/agent", "/sandboxes", "/sandboxes/.keep"], 0])
  }
)

test("a process that nobody gave back is a leak, and is killed (100)", async () => {
  const { scope, room, settled, machine } = simHarness({ ignoreTerm: true })
  const process = await settled(
    room.world.host.spawn({ program: "/agent", cwd: "/", environment: {}, label: "daemon", stdin: "piped" })
  )
  const { pid } = process

  const error = await settled(scope.close()).catch((failure: unknown) => failure)

  expect(error).toBeInstanceOf(ResourceLeak)
  expect(error).toMatchObject({ items: [`process daemon, pid ${pid}, that nobody closed`] })
  expect([process.status, machine.ours()]).toEqual([{ code: null, signal: "SIGKILL" }, []])
})

test("timers, listeners and sandbox folders that are left are leaks, each named (100)", async () => {
  const { scope, room, settled } = simHarness()
  room.clock.arm(5, "a wait", () => {})
  room.clock.arm(5, "a wait", () => {})
  room.watch.listening("mock server http://127.0.0.1:1")
  const root = await room.world.sandboxes.files.makeFreshFolder("/sandboxes", "us-")

  await expect(settled(scope.close())).rejects.toMatchObject({
    _tag: "ResourceLeak",
    items: ["listener mock server http://127.0.0.1:1", 'timer "a wait", 2 times', `sandbox folder ${root}`]
  })
})

test("a start that is under way when its scope closes is cut short, and what it had got is given back", async () => {
  const { scope, settled, machine, files } = simHarness({}, { choices: [3, 3, 3, 3] })
  const starting = scope.startAgent({ profile: simProfile })
  const closing = scope.close()

  await expect(settled(starting)).rejects.toMatchObject({ _tag: "Cancelled" })
  await settled(closing)
  expect([machine.ours(), files.paths()]).toEqual([[], ["/agent", "/sandboxes", "/sandboxes/.keep"]])
})
