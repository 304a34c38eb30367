import { fakeLeaderClientMachine } from "../../../machines/fake-leader-client.machine.ts"
import { isOlderVersion } from "../../domain/semantic-version.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { actorKind } from "../../supervisor/supervisor.ts"
import { lineContent } from "../../wire/acp/line-content.ts"
import { errorLine } from "../../wire/acp/write-line.ts"
import type { LeaderMessage } from "../../wire/leader/leader-message.ts"
import { type ClientActor, type ClientCore, tellClient } from "./client-core.ts"
import { beginReplay, endReplay, isReplayed, replayNext } from "./client-replay.ts"
import { linkToLeader } from "./leader-link.ts"

/** The chart of a client and what performs its actions. @since 0.1.0 @category leaders */
export const clientKind = actorKind<typeof fakeLeaderClientMachine, ClientCore>(compileChart(fakeLeaderClientMachine), {
  dial: (_, client) => dial(client),
  hangUp(_, { data }) {
    data.link?.drop()
    data.link = null
  },
  tryLock: (_, client) => tryLock(client),
  spawnLeader(_, client) {
    const problem = client.data.ports.startLeader()
    if (problem === null) return
    client.data.failure = `a leader cannot be started: ${problem}`
    tellClient(client, { type: "spawn.failed" })
  },
  sendRegister(_, { data }) {
    const capabilities = { client_version: data.ports.version }
    data.link?.send({ type: "register", client_type: "understudy-fake-client", mode: "stdio", capabilities })
  },
  terminateHolder(_, { data }) {
    const holder = data.ports.lock.holder()
    // Whoever has the lock by now is not the one that is to go.
    if (holder !== null && holder === data.holderAtDial) data.ports.signal(holder, "SIGTERM")
  },
  lookAtHolder(_, client) {
    const { ports, holderAtDial } = client.data
    const holder = ports.lock.holder()
    tellClient(client, { type: holder !== null && holder === holderAtDial ? "holder.there" : "holder.gone" })
  },
  killHolder(_, { data }) {
    const holder = data.ports.lock.holder()
    if (holder !== null && holder === data.holderAtDial) data.ports.signal(holder, "SIGKILL")
  },
  beginReplay: (_, { data }) => beginReplay(data),
  replayNext: (_, client) => replayNext(client),
  skipReplay(_, { data }) {
    data.asked = null
  },
  endReplay: (_, { data }) => endReplay(data),
  sendQueued(_, { data }) {
    const { fresh, old } = data.queue.take()
    for (const line of old) refuse(data, line, "there was no leader for too long")
    for (const line of fresh) forward(data, line)
  },
  forward: ({ text }, { data }) => forward(data, text),
  queue({ text }, { data }) {
    if (!data.queue.push(text)) refuse(data, text, "too much waits for the leader")
  },
  tellFailed: (_, { data }) => data.ports.log(`no leader at ${data.ports.socketPath}: ${data.failure}`),
  leave(_, { data }) {
    data.link?.send({ type: "disconnect" })
    data.link?.drop()
  },
  endProcess: ({ code }, { data }) => data.ports.end(code)
})

const dial = (client: ClientActor): void => {
  const { data } = client
  const { ports } = data
  data.holderAtDial = ports.lock.holder()
  data.link?.drop()
  data.link = linkToLeader(
    { streams: ports.streams, path: ports.socketPath },
    {
      opened: () => tellClient(client, { type: "conn.opened" }),
      failed: () => tellClient(client, { type: "conn.failed" }),
      message: (message) => take(client, message),
      lost() {
        data.failure = "the connection was lost"
        tellClient(client, { type: "conn.lost" })
      }
    }
  )
}

/** Takes the lock and gives it back: whoever can do that finds no leader that is alive. */
const tryLock = (client: ClientActor): void => {
  const { data } = client
  const { lock } = data.ports
  try {
    if (lock.take()) {
      lock.giveBack()
      data.failure = "those that were started did not serve it"
      tellClient(client, { type: "lock.free" })
      return
    }
  } catch (error) {
    data.failure = `its lock cannot be taken: ${error instanceof Error ? error.message : String(error)}`
    tellClient(client, { type: "lock.failed" })
    return
  }
  const holder = lock.holder()
  const isKnown = holder === data.holderSought
  data.holderSought = holder
  data.failure = `process ${holder} holds its lock and does not serve it`
  tellClient(client, { type: isKnown ? "lock.held" : "lock.changed" })
}

const take = (client: ClientActor, message: LeaderMessage): void => {
  const { data } = client
  if (message.kind === "registered") {
    const { binaryVersion, isReady } = message.introduction
    const isOlder = binaryVersion !== null && isOlderVersion(binaryVersion, data.ports.version)
    tellClient(client, { type: "registered", isOlder: isOlder && data.ports.lock.holder() !== null, isReady })
  } else if (message.kind === "ready") tellClient(client, { type: "leader.ready" })
  else if (message.kind === "error") {
    data.failure = `it refuses the client: ${message.message} (${message.code})`
    tellClient(client, { type: "refused" })
  } else if (message.kind === "acp") takeLine(client, message.payload)
}

const takeLine = (client: ClientActor, payload: string): void => {
  const { data } = client
  if (isReplayed(client, payload)) {
    tellClient(client, { type: "replay.answered" })
    return
  }
  if (data.asked !== null) tellClient(client, { type: "heard" })
  data.memory.received(payload)
  data.ports.write(payload.replaceAll(/[\r\n]/g, " "))
}

const forward = (data: ClientCore, line: string): void => {
  if (data.link?.send({ type: "acp", payload: line }) === true) data.memory.sent(line)
  else refuse(data, line, "the line cannot be sent to the leader")
}

/** A request that goes nowhere is answered here. */
const refuse = ({ ports }: ClientCore, line: string, message: string): void => {
  const content = lineContent(line)
  if (content.kind === "request") ports.write(errorLine(content.idToken, { code: -32603, message, data: undefined }))
}
