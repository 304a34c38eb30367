import { setup } from "xstate"

/** What can happen to the gate. */
export type GateEvent = { readonly type: "hold" } | { readonly type: "release" }

/**
 * The server-wide completion gate. Copies that wait when it opens proceed, even if it closes again at once.
 *
 * **Source** inference-server.md, section 6
 */
export const gateMachine = setup({
  types: {
    events: {} as GateEvent
  },
  actions: {
    // Declared only: the supervisor reads it from the step and performs it.
    wakeCopies: () => {}
  }
}).createMachine({
  id: "gate",
  initial: "open",
  states: {
    open: { on: { hold: "held", release: {} } },
    held: { on: { release: { target: "open", actions: "wakeCopies" }, hold: {} } }
  }
})
