import fc from "fast-check"
import { expect, test } from "vitest"
import { isOlderVersion } from "../src/domain/semantic-version.ts"
import { seededChoice } from "../src/kernel/choice-sources.ts"
import { textsOf } from "../test/harness/fake-agent/fake-agent-world.ts"
import { type LeaderWorld, leaderWorld, type SimClient } from "../test/harness/fake-leader/leader-world.ts"
import {
  type FakeLeaderAct,
  type FakeLeaderScene,
  fakeLeaderScenes,
  type MemberAct
} from "./arbitraries/fake-leader-scenes.ts"
import { checkProperty } from "./check.ts"

interface Asked {
  readonly client: Member
  readonly id: string
  readonly at: number
}

interface Member {
  readonly sim: SimClient
  readonly version: string
  /** Sessions that it has made or loaded, as it knows. */
  readonly sessions: Set<string>
}

/** What clients ask, and which of that may stay without an answer: what the leader had been asked when it went. */
interface Run {
  readonly world: LeaderWorld
  readonly members: Array<Member>
  readonly asked: Array<Asked>
  readonly lost: Set<string>
  /** When leaders went, and were told to. */
  readonly ends: Array<number>
  /** Leaders that were ended by a client of no newer version. */
  readonly wronged: Array<string>
  readonly readyAfterMs: number
}

/** A client sees within this time that its leader is gone, however slow the machine. */
const noticeMs = 500

const isAnswered = ({ client, id }: Asked): boolean => client.sim.responses(id).length > 0

const ask = ({ world, asked }: Run, client: Member, id: string): string => {
  asked.push({ client, id, at: world.clock.now() })
  return id
}

/** What is not answered now may never be. */
const lose = ({ world, asked, lost, ends }: Run): void => {
  ends.push(world.clock.now())
  for (const one of asked) if (!isAnswered(one)) lost.add(one.id)
}

/** Takes in which sessions the clients have by now. */
const learn = ({ asked }: Run): void => {
  for (const { client, id } of asked) {
    const { sessionId } = Object(client.sim.responses(id)[0]?.["result"])
    if (id.startsWith("new") && typeof sessionId === "string") client.sessions.add(sessionId)
    const loaded = /^load-\d+-(.+)$/.exec(id)?.[1]
    if (loaded !== undefined && "result" in Object(client.sim.responses(id)[0])) client.sessions.add(loaded)
  }
}

const begin = (run: Run, version: string): void => {
  const sim = run.world.startClient({ version, starts: { readyAfterMs: run.readyAfterMs } })
  const member = { sim, version, sessions: new Set<string>() }
  run.members.push(member)
  sim.request(ask(run, member, `init-${run.asked.length}`), "initialize", { protocolVersion: 1 })
}

const perform = (run: Run, act: FakeLeaderAct): void => {
  const { world, members } = run
  const leader = world.alive().find(({ pid }) => pid === world.holder())
  switch (act.kind) {
    case "client":
      begin(run, act.version)
      break
    case "wait":
      world.clock.advance(act.ms)
      break
    case "kill":
      lose(run)
      leader?.kill()
      break
    case "terminate":
      lose(run)
      leader?.terminate()
      break
    default: {
      const member = members[act.client % members.length]
      learn(run)
      if (member !== undefined) performFor(run, member, act)
    }
  }
}

const performFor = (run: Run, member: Member, act: MemberAct): void => {
  const { members, asked } = run
  if (act.kind === "leave") {
    if (members.length === 1) return
    lose({ ...run, asked: asked.filter(({ client }) => client === member), ends: [] })
    members.splice(members.indexOf(member), 1)
    member.sim.inputEnds()
  } else if (act.kind === "new") {
    member.sim.request(ask(run, member, `new-${asked.length}`), "session/new", { cwd: "/", mcpServers: [] })
  } else {
    const all =
      act.kind === "load" ? [...new Set(members.flatMap(({ sessions }) => [...sessions]))] : [...member.sessions]
    const sessionId = all[act.session % Math.max(1, all.length)]
    if (sessionId === undefined) return
    const id = ask(run, member, act.kind === "load" ? `load-${asked.length}-${sessionId}` : `prompt-${asked.length}`)
    if (act.kind === "prompt") member.sim.prompt(id, sessionId, `text of ${id}.`)
    else member.sim.request(id, "session/load", { sessionId, cwd: "/", mcpServers: [] })
  }
}

/** Plays a scene, and lets everything come to rest. */
const play = ({ acts, seed, readyAfterMs }: FakeLeaderScene): Run => {
  const world = leaderWorld(seededChoice(seed))
  const run: Run = { world, members: [], asked: [], lost: new Set(), ends: [], wronged: [], readyAfterMs }
  // A client that finds a leader of an older version ends it at any time.
  world.whenTerminated((leaderVersion, clientVersion) => {
    lose(run)
    if (!isOlderVersion(leaderVersion, clientVersion)) run.wronged.push(`${leaderVersion} by ${clientVersion}`)
  })
  for (const act of acts) perform(run, act)
  world.clock.advance(200_000)
  learn(run)
  return run
}

/** A prompt of somebody who has no session: whoever has that one hears it. */
const probe = ({ world }: Run, stranger: SimClient, sessionId: string): string => {
  const id = `probe-${sessionId}`
  stranger.prompt(id, sessionId, `text of ${id}.`)
  world.clock.advance(1_000)
  return `text of ${id}.`
}

// Seen to fail on these bugs, planted one at a time: nothing is said again to a new leader, or one session only, or none that was loaded;
// an older leader is kept; a lost connection is not seen, or ends a client that has just registered; a leader serves without the lock;
// readiness is not told; loading a session is not following it; updates go to everybody.
test("clients of a leader have one leader, none of an older version, and all their sessions, whatever became of leaders", () => {
  checkProperty(
    "fake leader recovery",
    fc.property(fakeLeaderScenes, (scene) => {
      const run = play(scene)
      const { world, members } = run
      const [leader, ...others] = world.alive()

      expect([others.length, world.overlaps(), world.holder(), run.wronged]).toEqual([0, 0, leader?.pid, []])
      for (const { sim, version } of members) {
        expect(sim.exitCode()).toBe(null)
        expect(isOlderVersion(leader?.script.version ?? "", version)).toBe(false)
      }
      const stranger = world.startClient({ version: "nightly" })
      world.clock.advance(10_000)
      for (const sessionId of new Set(members.flatMap(({ sessions }) => [...sessions]))) {
        const heard = probe(run, stranger, sessionId)
        for (const { sim, sessions } of members) {
          const times = textsOf(sim.lines).filter((text) => text === heard).length
          expect([sessionId, times]).toEqual([sessionId, sessions.has(sessionId) ? 1 : 0])
        }
      }
    }),
    { runs: 300 }
  )
})

// Seen to fail when the answers to what is said again are shown, what waited is dropped or sent twice, and when answers go to the client
// that came first.
test("a client answers every request once, unless its leader went with it, and shows nothing of what it says again", () => {
  checkProperty(
    "fake leader answers",
    fc.property(fakeLeaderScenes, (scene) => {
      const { asked, lost, ends } = play(scene)

      for (const { client, id, at } of asked) {
        const count = client.sim.responses(id).length
        const mayBeLost = lost.has(id) || ends.some((end) => at >= end && at <= end + noticeMs)
        expect([id, count]).toEqual([id, mayBeLost ? expect.toBeOneOf([0, 1]) : 1])
        expect(client.sim.lines.some((line) => line.includes("leader-replay"))).toBe(false)
      }
    }),
    { runs: 300 }
  )
})

// Seen to fail when a leader writes down a number from `Math.random`.
test("a scene of leaders and clients is the same each time", () => {
  checkProperty(
    "fake leader determinism",
    fc.property(fakeLeaderScenes, (scene) => {
      const seen = () => {
        const { world, members } = play(scene)
        return [world.leaders.map(({ events, log }) => [events, log]), members.map(({ sim }) => sim.lines)]
      }

      expect(seen()).toEqual(seen())
    }),
    { runs: 30 }
  )
})
