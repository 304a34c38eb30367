import type { TextMap } from "../../src/harness/profile/agent-profile.ts"
import type { SandboxWorld } from "../../src/harness/sandbox/sandbox.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { ProgramCommand, ProgramOutcome } from "../../src/ports/run-program.ts"
import { makeSimFiles, type SimFiles } from "../../src/sim/files.ts"

/** A world of files in memory, virtual time, and programs that all end well and do nothing. */
export interface SimSandboxWorld extends SandboxWorld {
  readonly files: SimFiles
  readonly clock: VirtualClock
  readonly told: ReadonlyArray<string>
  /** What was run, in order. */
  readonly commands: ReadonlyArray<ProgramCommand>
  /** How the next programs end. */
  willEnd(outcome: ProgramOutcome): void
  /** Lets time pass for as long as the work needs it. */
  settled<A>(work: Promise<A>): Promise<A>
}

export const simSandboxWorld = (variables: TextMap = {}): SimSandboxWorld => {
  const files = makeSimFiles()
  files.put("/t/other", "")
  files.put("/bin/git", "", { isExecutable: true })
  const clock = makeVirtualClock()
  const told: Array<string> = []
  const commands: Array<ProgramCommand> = []
  let outcome: ProgramOutcome = { code: 0, signal: null, stdout: "", stderr: "" }
  return {
    parent: { platform: "linux", variables: { PATH: "/bin", ...variables }, cwd: "/repo" },
    files,
    clock,
    run: async (command) => {
      commands.push(command)
      return outcome
    },
    baseFolder: "/t",
    told,
    commands,
    tell: (line) => told.push(line),
    willEnd(next) {
      outcome = next
    },
    async settled(work) {
      let isOver = false
      const over = () => {
        isOver = true
      }
      work.then(over, over)
      for (let turns = 0; !isOver && turns < turnsMax; turns++) {
        for (let hops = 0; hops < hopsMax && !isOver; hops++) await null
        clock.step()
      }
      return work
    }
  }
}

const turnsMax = 1000
/** More than any chain of promises between two waits is long. */
const hopsMax = 200
