import { openHarness } from "../../../src/harness/api/open-harness.ts"
import { redactedOutput } from "../../../src/harness/diagnostics/sanitised-output.ts"
import { readFakeScript } from "../../../src/harness/fake-agent/read-script.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { listedChoice } from "../../../src/kernel/choice-sources.ts"
import { makeVirtualClock } from "../../../src/kernel/virtual-clock.ts"
import { makeSimFiles } from "../../../src/sim/files.ts"
import { makeSimProcesses } from "../../../src/sim/processes.ts"
import { makeSimStreams } from "../../../src/sim/stream-sockets.ts"
import { fakeAgentProgram } from "../fake-agent/fake-agent-program.ts"

/** The agent of the simulated machine. */
export const simProfile = readProfile({
  id: "fake",
  displayName: "fake",
  binary: { env: ["FAKE_AGENT"] },
  acp: { args: [], auth: { methodId: "fixture.api_key" }, exitsOnStdinEof: { exits: true, withinMs: 1000 } },
  sandbox: { stateDir: ".fake" }
})

const turnsMax = 400

/** A harness on a simulated machine on which one program runs, our fake agent. */
export const simHarness = (
  script: unknown = {},
  { choices = [] }: { readonly choices?: ReadonlyArray<number> } = {}
) => {
  const clock = makeVirtualClock()
  const programs = { "/agent": fakeAgentProgram({ script: readFakeScript(script) }) }
  const choice = listedChoice(choices)
  const machine = makeSimProcesses({ clock, choice, programs })
  const files = makeSimFiles()
  files.put("/agent", "", { isExecutable: true })
  files.put("/sandboxes/.keep", "")
  const told: Array<string> = []
  const harness = openHarness({
    clock,
    processes: machine.port,
    files,
    locks: { holder: async () => null },
    streams: makeSimStreams({ clock, choice, paths: files }).port,
    parent: { platform: "linux", variables: { PATH: "/bin", FAKE_AGENT: "/agent" }, cwd: "/" },
    baseFolder: "/sandboxes",
    runId: "0123456789abcdef0123456789abcdef",
    redact: redactedOutput,
    timeoutScale: () => 1,
    tell: (line) => told.push(line),
    showsTiming: false
  })
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < turnsMax; turn++) await null
  }
  return {
    ...harness,
    clock,
    machine,
    files,
    told,
    /** Lets time pass until a promise has settled. */
    async settled<A>(promise: Promise<A>): Promise<A> {
      let isSettled = false
      const end = (): void => {
        isSettled = true
      }
      promise.then(end, end)
      await turns()
      while (!isSettled && clock.step()) await turns()
      if (!isSettled) throw new Error(`nothing can settle this any more at ${clock.now()} ms`)
      return promise
    }
  }
}
