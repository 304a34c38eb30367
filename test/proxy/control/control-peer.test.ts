import { expect, test } from "vitest"
import type { Clock } from "../../../src/kernel/clock.ts"
import type { StreamSocket } from "../../../src/ports/stream-port.ts"
import { makeControlDesk } from "../../../src/proxy/control/control-desk.ts"
import { linesAtOnceMax, makeControlPeer } from "../../../src/proxy/control/control-peer.ts"
import { makeFakeProxy } from "./fake-proxy.ts"

/** A client whose socket takes answers or does not, and a clock that goes on when it is told. */
const clientOf = ({ problem = null }: { readonly problem?: string | null } = {}) => {
  const done: Array<string> = []
  let answers = 0
  let turns: Array<() => void> = []
  const socket: StreamSocket = {
    write(_, told) {
      answers++
      queueMicrotask(() => told(problem))
      return false
    },
    end: () => void done.push("end"),
    destroy: () => void done.push("destroy"),
    reset: () => void done.push("reset"),
    pause: () => void done.push("pause"),
    resume: () => void done.push("resume")
  }
  const clock: Clock = {
    now: () => 0,
    wallMs: () => 0,
    arm(ms, _, fire) {
      if (ms === 0) turns.push(fire)
      return () => {
        turns = turns.filter((turn) => turn !== fire)
      }
    }
  }
  const desk = makeControlDesk(makeFakeProxy().proxy, () => {})
  const peer = makeControlPeer(socket, { desk, clock, gone: () => {} })
  return {
    report: peer.report,
    done,
    answers: () => answers,
    turns: () => turns.length,
    turn() {
      for (const fire of turns.splice(0)) fire()
    }
  }
}

const lines = (count: number): Uint8Array => new TextEncoder().encode('{"command":"held"}\n'.repeat(count))

// Seen to fail while all were answered at once: 10,000 of them kept the traffic waiting for seconds.
test("so many lines are answered in one turn, and the others in turns to come", () => {
  const { report, answers, turns, turn, done } = clientOf()
  report.received(lines(2 * linesAtOnceMax + 3))
  report.ended()
  expect([answers(), turns()]).toEqual([linesAtOnceMax, 1])
  turn()
  expect([answers(), turns(), done]).toEqual([2 * linesAtOnceMax, 1, ["pause"]])
  turn()

  expect([answers(), turns(), done]).toEqual([2 * linesAtOnceMax + 3, 0, ["pause", "resume", "end"]])
})

test("a client that is gone has no turn any more", () => {
  const { report, turns } = clientOf()
  report.received(lines(linesAtOnceMax + 1))
  expect(turns()).toBe(1)
  report.closed(null)

  expect(turns()).toBe(0)
})

// Seen to fail: the next request was answered for nobody, however long the answer was.
test("who takes no answer is answered nothing more", async () => {
  const { report, answers, done, turn } = clientOf({ problem: "EPIPE" })
  report.received(lines(linesAtOnceMax + 5))
  await Promise.resolve()
  turn()

  expect(answers()).toBe(linesAtOnceMax)
  expect(done.at(-1)).toBe("destroy")
})
