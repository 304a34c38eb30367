import { gateMachine } from "../../machines/gate.machine.ts"
import type { Copy } from "../serving/copy.ts"
import { compileChart } from "../supervisor/chart.ts"
import { actorKind, type Supervisor } from "../supervisor/supervisor.ts"

/**
 * The server-wide completion gate: copies that arrive while it is held wait until it opens.
 *
 * **Source** inference-server.md, section 6
 *
 * @since 0.1.0
 * @category barriers
 */
export interface Gate {
  hold(): void
  release(): void
  arrive(copy: Copy): void
  /** The copy waits no more; its client has left. */
  leave(copy: Copy): void
  /** How many copies wait. */
  waiting(): number
}

interface GateData {
  readonly supervisor: Supervisor
  readonly copies: Set<Copy>
}

const kind = actorKind<typeof gateMachine, GateData>(compileChart(gateMachine), {
  wakeCopies(_, { data }) {
    const { supervisor } = data
    const copies = [...data.copies]
    data.copies.clear()
    supervisor.postpone("gate", () => {
      for (const copy of copies) supervisor.deliver(copy, { type: "barrier.opened" })
    })
  }
})

/** @since 0.1.0 @category constructors */
export const makeGate = (supervisor: Supervisor): Gate => {
  const data: GateData = { supervisor, copies: new Set() }
  const gate = supervisor.spawn(kind, undefined, data)
  return {
    hold: () => supervisor.deliver(gate, { type: "hold" }),
    release: () => supervisor.deliver(gate, { type: "release" }),
    arrive(copy) {
      if (gate.snapshot.value === "held") data.copies.add(copy)
      else supervisor.deliver(copy, { type: "barrier.opened" })
    },
    leave: (copy) => data.copies.delete(copy),
    waiting: () => data.copies.size
  }
}
