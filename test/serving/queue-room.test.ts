import { expect, it } from "vitest"
import type { Plan } from "../../src/domain/plan.ts"
import { makeQueueRoom } from "../../src/serving/queue-room.ts"

const planOf = (bytes: number): Plan => ({
  steps: [{ kind: "write", bytes: "x".repeat(bytes), events: 1 }],
  ending: "end",
  crossesAt: 0,
  keepAlive: false
})

it("room for answers that wait is given until it is full, and given again when one has left, once", () => {
  const room = makeQueueRoom(1_000)
  const leave = room.enter(planOf(500))

  expect(room.enter(planOf(500))).toBeNull()
  expect(room.enter(planOf(100))).not.toBeNull()
  for (let times = 0; times < 2; times++) leave?.()

  expect(room.enter(planOf(500))).not.toBeNull()
  expect(room.enter(planOf(100))).toBeNull()
})
