import type { LeaderClient } from "../../src/harness/leader/leader-client.ts"
import type { LeaderFixture } from "../../src/harness/leader/leader-fixture.ts"
import type { LeaderCommand, LeaderScene, WrittenPid } from "../arbitraries/leader-scenes.ts"
import { type LeaderStage, makeLeaderStage } from "./leader-stage.ts"

/** A scene that was played, and what was found broken on the way. */
export interface PlayedLeader {
  readonly stage: LeaderStage
  /** `null` when it did not become ready. */
  readonly fixture: LeaderFixture | null
  readonly leaderPid: number | null
  /** Why it did not become ready. */
  readonly startError: unknown
  /** One line for each law that did not hold, and when. */
  readonly broken: ReadonlyArray<string>
  /** What closes of the fixture came to, in order; `null` for well. */
  readonly closes: ReadonlyArray<unknown>
}

/** @since 0.1.0 @category running */
export const playLeaderScene = async (scene: LeaderScene): Promise<PlayedLeader> => {
  const stage = makeLeaderStage(scene, { choices: scene.choices })
  const broken: Array<string> = []
  const say = (law: string): void => void broken.push(`${stage.clock.now()} ms: ${law}`)
  // Nobody's, and its number is one that anybody can write down.
  const stranger = stage.machine.beginStranger()
  const start = stage.start()
  const { error: startError } = await stage.settled(start)
  if (startError !== undefined) {
    await endWorld(stage, say)
    return { stage, fixture: null, leaderPid: null, startError, broken, closes: [] }
  }
  const fixture = await start
  const leaderPid = fixture.leaderPid()
  const play = makePlay({ stage, fixture, say, stranger, leaderPid: leaderPid ?? 0 })
  for (const command of scene.commands) await play.perform(command)
  await play.end()
  await endWorld(stage, say)
  return { stage, fixture, leaderPid, startError, broken, closes: play.closes }
}

interface Parts {
  readonly stage: LeaderStage
  readonly fixture: LeaderFixture
  readonly say: (law: string) => void
  readonly stranger: number
  readonly leaderPid: number
}

const makePlay = ({ stage, fixture, say, stranger, leaderPid }: Parts) => {
  const clients: Array<LeaderClient> = []
  const startedAt = new Map<LeaderClient, number>()
  const released = new Set<LeaderClient>()
  /** Clients that were asked to end, by whatever means. */
  const ending = new Set<LeaderClient>()
  /** Whether the leader may be signalled: it was killed, contained, disposed, or closed without clients. */
  let mayEnd = false
  let signalsSeen = 0
  const closes: Array<unknown> = []
  const waits = new Set<Promise<unknown>>()
  /** Clients that were asked for and have not been released, as a test sees it. */
  let registrations = 0
  let isOver = false
  let isContained = false

  const follow = (work: Promise<unknown>, end: (error: unknown) => void = () => {}): void => {
    const followed = work.then(
      () => end(null),
      (error: unknown) => end(error)
    )
    waits.add(followed)
    followed.then(() => waits.delete(followed))
  }
  const leaders = () => stage.machine.ours().filter(({ spec }) => spec?.program === "/leader")
  const count = (): void => {
    const { length } = fixture.clients()
    if (!isOver && fixture.activeClients() !== registrations)
      say(`L2: ${fixture.activeClients()} are registered, and ${registrations} were started and not released`)
    if (fixture.activeClients() < length)
      say(`L2: ${length} clients are open, ${fixture.activeClients()} are registered`)
  }
  /** Those who run and were asked nothing are not to be signalled. */
  const lookAtSignals = (): void => {
    const fresh = stage.machine.signals.slice(signalsSeen)
    signalsSeen = stage.machine.signals.length
    if (isOver) return
    const untouched = clients
      .filter((client) => !ending.has(client))
      .map((client) => ({ pid: client.pid(), since: startedAt.get(client) ?? 0 }))
    if (!mayEnd && leaders().length > 0) untouched.push({ pid: leaderPid, since: 0 })
    // A number may have been another's before.
    for (const { at, signal, target } of fresh)
      if (untouched.some(({ pid, since }) => pid === target && at > since))
        say(`L4: ${signal} to ${target}, which nobody has asked to end`)
  }
  const release = (client: LeaderClient, error: unknown): void => {
    if (error !== null || released.has(client)) return
    released.add(client)
    registrations--
  }
  const closed = (error: unknown, isForced: boolean): void => {
    closes.push(error)
    if (error !== null) return
    if (!isForced && registrations > 0) say(`L2: it has closed with ${registrations} clients`)
    isOver = true
    // What is contained is killed, and not waited for.
    if (!isContained) lookAtClosed()
  }
  const lookAtClosed = (): void => {
    if (leaders().length > 0) say("L5: the leader is there after close")
    if (stage.streams.port.open().listeners > 0) say("L5: the socket is served after close")
  }
  const pidOf = (written: WrittenPid): string =>
    ({
      "the leader": String(leaderPid),
      "a stranger": String(stranger),
      nobody: "99999",
      "the harness": "50",
      "no number": "x"
    })[written]

  const perform = async (command: LeaderCommand): Promise<void> => {
    if ("nth" in command) performOnClient(command)
    else if (command.kind === "pass") await stage.pass(command.ms)
    else if (command.kind === "write lock") stage.files.put(fixture.home.paths.lock, pidOf(command.pid))
    else if (command.kind === "start client") {
      const before = fixture.activeClients()
      const work = fixture.spawnClient(command.isMissing ? { binary: "/missing" } : {})
      const wasTaken = fixture.activeClients() > before
      if (wasTaken) registrations++
      follow(
        work.then((client) => {
          clients.push(client)
          startedAt.set(client, stage.clock.now())
        }),
        (error) => {
          if (error !== null && wasTaken) registrations--
        }
      )
    } else if (command.kind === "wait for another") {
      const work = fixture.waitForNewLeader(leaderPid, { timeoutMs: command.timeoutMs }).then((pid) => {
        if (pid === leaderPid) say("L3: the old leader is taken for a new one")
        if (!stage.world.host.pidAlive(pid)) say(`L3: ${pid} is dead`)
      })
      follow(work)
    } else if (command.kind === "kill") {
      mayEnd = true
      attempt(() => fixture.killLeader())
    } else if (command.kind === "contain") {
      fixture.contain()
      isOver = true
      isContained = true
    } else if (command.kind === "reap") follow(fixture.reapLeader())
    else if (command.kind === "close") {
      mayEnd ||= registrations === 0
      follow(fixture.close(), (error) => closed(error, isOver))
    } else if (command.kind === "dispose") {
      isOver = true
      follow(fixture[Symbol.asyncDispose](), (error) => closed(error, true))
    }
    await stage.pass(0)
    count()
    lookAtSignals()
  }
  const performOnClient = (command: Extract<LeaderCommand, { readonly nth: number }>): void => {
    const client = clients[command.nth % Math.max(1, clients.length)]
    if (client === undefined) return
    ending.add(client)
    if (command.kind === "contain client") client.containFailedCleanup()
    else {
      const end = command.kind === "close client" ? client.close() : client.killAndClose()
      follow(end, (error) => release(client, error))
    }
  }

  return {
    closes,
    perform,
    /** Ends what is there; everything that was waited for has settled then. */
    async end() {
      isOver = true
      await stage.settled(fixture[Symbol.asyncDispose]())
      await stage.pass(60_000)
      if (waits.size > 0) say(`${waits.size} waits have not settled`)
    }
  }
}

const attempt = (work: () => unknown): void => {
  try {
    work()
  } catch {
    // That none is owned any more is one of the answers.
  }
}

/** Closes the host, and looks at the signals of the whole scene. */
const endWorld = async (stage: LeaderStage, say: (law: string) => void): Promise<void> => {
  await stage.settled(stage.world.host.close())
  for (const { at, target, signal, hit } of stage.machine.signals)
    if (hit === "stranger" || hit === "harness") say(`L4: ${signal} at ${at} ms to ${target}, which is ${hit}`)
}
