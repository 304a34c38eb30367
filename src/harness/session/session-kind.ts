import { agentSessionMachine } from "../../../machines/agent-session.machine.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { actorKind } from "../../supervisor/supervisor.ts"
import { rejectHandshake, sendAuthenticate, sendInitialize } from "./handshake.ts"
import { endError, type SessionActor, type SessionCore } from "./session-core.ts"

/** The chart of a session and what performs its actions. @since 0.1.0 @category sessions */
export const sessionKind = actorKind<typeof agentSessionMachine, SessionCore>(compileChart(agentSessionMachine), {
  sendInitialize: (_, session) => sendInitialize(session),
  sendAuthenticate: (_, session) => sendAuthenticate(session),
  settleHandshake(_, { data }) {
    const { handshake } = data
    data.handshake = null
    handshake?.resolve(handshake.result)
  },
  refuseHandshake: (_, { data }) => rejectHandshake(data, endError(data)),
  endCalls(_, { data }) {
    const error = endError(data)
    data.calls.end(error)
    data.updates.end(error)
    data.permissions.end(error)
  },
  endRequests: (_, { data }) => data.requests.end(),
  endInput: (_, { data }) => data.wire.endInput(),
  awaitExit(_, session) {
    const { process } = session.data.parts
    process.wait().then(() => tell(session, "process.exited"))
  },
  closeProcess: (_, session) => end(session, session.data.parts.process.close()),
  killProcess: (_, session) => end(session, session.data.parts.process.kill()),
  release(_, session) {
    const { parts, problems } = session.data
    const done = (): void => tell(session, "released")
    parts.release().then(done, (error) => {
      problems.push(error)
      done()
    })
  },
  tellClosed: (_, { data }) => data.closed()
})

const tell = (session: SessionActor, type: "process.exited" | "process.over" | "released"): void => {
  if (session.snapshot.status === "active") session.data.world.supervisor.deliver(session, { type })
}

const end = (session: SessionActor, over: Promise<unknown>): void => {
  over.then(
    () => tell(session, "process.over"),
    (error) => {
      // Asked to end and then killed, it fails to be gone twice, and that is one problem.
      const { problems } = session.data
      if (!problems.some(({ name }) => name === error.name)) problems.push(error)
      tell(session, "process.over")
    }
  )
}
