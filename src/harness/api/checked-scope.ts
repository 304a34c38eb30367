import { checkOption, type OptionCheck } from "../../domain/option-checks.ts"
import type { LeaderFixture } from "../leader/leader-fixture.ts"
import type { CoreScope } from "./harness-scope.ts"
import { optionTables } from "./option-tables.ts"

/** The same call, which refuses options in which something is wrong before it does anything. */
const checked =
  <O, A>(options: OptionCheck, call: (given: O) => Promise<A>) =>
  async (given: O): Promise<A> => {
    checkOption(options, given)
    return call(given)
  }

/**
 * A scope that refuses wrong options, also from those who have no compiler.
 *
 * **Fails** with `InvalidOption`, naming option, value and what to give instead
 *
 * @since 0.1.0
 * @category guards
 */
export const checkedScope = (scope: CoreScope): CoreScope => ({
  ...scope,
  startAgent: checked(optionTables.agent, scope.startAgent),
  startRawClient: checked(optionTables.raw, scope.startRawClient),
  runPrompt: checked(optionTables.prompt, scope.runPrompt),
  runHeadless: checked(optionTables.exactly, scope.runHeadless),
  runCommand: checked(optionTables.command, scope.runCommand),
  makeSandbox: (options = {}) => checked(optionTables.sandbox, scope.makeSandbox)(options),
  spawn: checked(optionTables.program, scope.spawn),
  startLeader: async (options) => {
    checkOption(optionTables.leader, options)
    return checkedLeader(await scope.startLeader(options))
  },
  connectLeader: async (address, options = {}) => {
    checkOption(optionTables.address, address, "the address")
    checkOption(optionTables.connection, options)
    return scope.connectLeader(address, options)
  },
  startFakeLeader: async (address, behaviour) => {
    checkOption(optionTables.address, address, "the address")
    checkOption(optionTables.fakeLeader, behaviour, "the behaviour")
    return scope.startFakeLeader(address, behaviour)
  },
  async acquire(name, acquisition) {
    checkOption(optionTables.scopeName, name, "the name")
    checkOption(optionTables.acquisition, acquisition, "the acquisition")
    return scope.acquire(name, acquisition)
  },
  defer(name, finalizer, options) {
    checkOption(optionTables.scopeName, name, "the name")
    checkOption(optionTables.finalizer, finalizer, "the finalizer")
    return scope.defer(name, finalizer, options)
  },
  scope(name) {
    checkOption(optionTables.scopeName, name, "the name")
    return scope.scope(name)
  }
})

const checkedLeader = (leader: LeaderFixture): LeaderFixture => {
  const { spawnClient, waitForNewLeader } = leader
  return Object.assign(leader, {
    spawnClient: (start = {}) => checked(optionTables.leaderClient, spawnClient)(start),
    async waitForNewLeader(oldPid: number, options: { readonly timeoutMs: number }): Promise<number> {
      checkOption(optionTables.newLeader, options)
      return waitForNewLeader(oldPid, options)
    }
  } satisfies Pick<LeaderFixture, "spawnClient" | "waitForNewLeader">)
}
