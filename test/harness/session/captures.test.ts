import { expect, it } from "vitest"
import { heldBytes } from "../../../src/domain/held-bytes.ts"
import { makeCaptures } from "../../../src/harness/session/captures.ts"
import { makeWireRecords } from "../../../src/harness/session/wire-records.ts"
import { sessionUpdate } from "../../../src/wire/acp/session-update.ts"

/*
 * Seen to fail when an update counts for its text, when notifications, broken rules and noise count for nothing, and when names of
 * any length are counted.
 */

const mebibyte = 1_048_576

const chunkOf = (text: string, sessionId = "a"): ReturnType<typeof sessionUpdate> =>
  sessionUpdate({
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }
  })

it("captures keep as much of 300,000 updates as of 100,000, and count them all", () => {
  const captures = makeCaptures()
  const keptAfter = (count: number): ReadonlyArray<number> => {
    for (let seq = captures.notificationCount() + 1; seq <= count; seq++)
      captures.update({ ...chunkOf(`${seq} `.padStart(8)), seq })
    return [captures.updates().length, heldBytes(captures.updates()), captures.capturedText().length]
  }
  const early = keptAfter(100_001)

  expect(keptAfter(300_000)).toEqual(early)
  expect(early[1]).toBeLessThan(65 * mebibyte)
  expect([captures.notificationCount(), captures.updateCount("agent_message_chunk", "a")]).toEqual([300_000, 300_000])
  expect([captures.updates().at(-1)?.seq, captures.isTruncated()]).toEqual([300_000, true])
})

it("an update counts for the memory that it takes, not for its text", () => {
  const captures = makeCaptures()
  const update = { sessionUpdate: "plan", entries: Array.from({ length: 100_000 }, () => []) }
  for (let seq = 1; seq <= 60; seq++) captures.update({ ...sessionUpdate({ sessionId: "a", update }), seq })

  expect(heldBytes(captures.updates())).toBeLessThan(65 * mebibyte)
  expect(captures.updates().at(-1)?.seq).toBe(60)
  expect(captures.isTruncated()).toBe(true)
})

it("notifications, broken rules and noise are kept within 8 MiB each, the newest of them", () => {
  const captures = makeCaptures()
  const records = makeWireRecords({ broken: () => {}, shown: (text) => text })
  const line = "x".repeat(mebibyte)
  for (let seq = 1; seq <= 9; seq++) {
    captures.ext({ method: "x", params: line, seq })
    records.violate({ rule: "r", detail: "", line, seq })
    records.pollute({ text: line, reason: "no JSON", seq })
  }

  for (const kept of [captures.extNotifications(), records.violations(), records.pollution()]) {
    expect(kept.map(({ seq }) => seq)).toEqual([7, 8, 9])
    expect(heldBytes(kept)).toBeLessThan(8 * mebibyte)
  }
  expect(captures.extNotificationCount("x")).toBe(9)
})

it("a notification above all bounds leaves small ones where they are, and of such ones two are kept", () => {
  const captures = makeCaptures()
  captures.ext({ method: "small", params: "x", seq: 1 })
  const large = "x".repeat(16 * mebibyte)
  captures.ext({ method: "large", params: large, seq: 2 })
  expect(captures.extNotifications().map(({ seq }) => seq)).toEqual([1, 2])

  for (const seq of [3, 4]) captures.ext({ method: "large", params: large, seq })
  expect(captures.extNotifications().map(({ seq }) => seq)).toEqual([3, 4])
})

it("names that are too long to be kept count in the sums alone", () => {
  const captures = makeCaptures()
  const long = "n".repeat(1_001)
  captures.update({ ...chunkOf("a", long), seq: 1 })
  captures.ext({ method: long, params: null, seq: 2 })

  expect([captures.notificationCount(), captures.notificationCount(long), captures.extNotificationCount(long)]).toEqual(
    [1, 0, 0]
  )
  expect(captures.updateCount("agent_message_chunk")).toBe(1)
})
