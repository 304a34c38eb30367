import { agentCallMachine } from "../../../machines/agent-call.machine.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"

/** Something that is waited for until it is there, or its time is over, or nothing comes any more. It settles once. */
export interface IpcWait<A> {
  found(value: A): void
  /** Nothing comes any more. */
  over(error: Error): void
}

/** What a wait begins with. */
export interface IpcWaitParts<A> {
  /** Already scaled. */
  readonly ms: number
  readonly resolve: (value: A) => void
  readonly reject: (error: Error) => void
  /** Its time is over: gives what it fails with. */
  readonly late: () => Error
}

interface WaitData {
  readonly supervisor: Supervisor
  /** What is done when it settles with what came. */
  settle: () => void
  readonly late: () => void
}

const kind = actorKind<typeof agentCallMachine, WaitData>(compileChart(agentCallMachine), {
  settle: (_, { data }) => data.settle(),
  rejectClosed: (_, { data }) => data.settle(),
  rejectLate(_, wait) {
    wait.data.late()
    // Nobody will look at what comes later.
    wait.data.supervisor.deliver(wait, { type: "closed" })
  }
})

/** Begins to wait. @since 0.1.0 @category constructors */
export const makeIpcWait = <A>(supervisor: Supervisor, { ms, resolve, reject, late }: IpcWaitParts<A>): IpcWait<A> => {
  const data: WaitData = { supervisor, settle: () => {}, late: () => reject(late()) }
  const wait: Actor<typeof agentCallMachine, WaitData> = supervisor.spawn(kind, { deadlineMs: ms }, data)
  return {
    found(value) {
      data.settle = () => resolve(value)
      supervisor.deliver(wait, { type: "answered", answer: { kind: "result" } })
    },
    over(error) {
      data.settle = () => reject(error)
      supervisor.deliver(wait, { type: "closed" })
    }
  }
}
