import { deepEqual, equal } from "node:assert/strict"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { checkLeader } from "./leader-rooms.mjs"

const frontOf = ({ socketPath }) => join(dirname(socketPath), "front.sock")

/** Clients put the lock of a leader of their own beside the socket that they were told of. */
export const frontLockOf = ({ socketPath }) => join(dirname(socketPath), "front.lock")

/**
 * A row over a leader behind a `proxy`; `join` starts clients in front of it, `joinLeader` beside it. The proxy ends behind its clients:
 * one that finds nobody at the front starts a leader there.
 */
export const checkProxied = (title, rules, body) =>
  checkFront(title, rules, async (room) => {
    await body(room)

    const { fixture, proxy } = room
    for (const agent of fixture.clients()) await agent.close()
    await proxy.stop()
    deepEqual([frontOf(fixture), frontLockOf(fixture)].filter(existsSync), [])
    equal(proxy.totals().active, 0)
  })

/** The same for a row that looks after the front itself. */
export const checkFront = (title, rules, body) =>
  checkLeader(`leader behind a proxy: ${title}`, async (room) => {
    const { fixture, harness } = room
    const front = frontOf(fixture)
    const proxy = await harness.startProxy(front, fixture.socketPath, { rules }, { record: true })
    await body({
      ...room,
      proxy,
      join: () => room.join({ env: { GROK_LEADER_SOCKET: front } }),
      joinLeader: () => room.join()
    })
  })
