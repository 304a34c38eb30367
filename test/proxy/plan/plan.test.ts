import { describe, expect, test } from "vitest"
import { splitPieces, throttledBytes, throttledMs, wholeMs } from "../../../src/proxy/plan/frame-bytes.ts"
import { happens, labelledChoice } from "../../../src/proxy/plan/labelled-choice.ts"
import { severPoint } from "../../../src/proxy/plan/plan-frame.ts"
import { readRule } from "../../../src/proxy/plan/read-plan.ts"
import { contentLengthDigits, noLength, prefixLength, webSocketLength } from "../../../src/proxy/plan/rewrite-length.ts"
import { ruleTable } from "../../../src/proxy/plan/rule-table.ts"
import { arrival, deliver, hex, planOf, receiver } from "./deliver.ts"

const text = (seen: string): string => Buffer.from(seen, "hex").subarray(4).toString()
const bodies = (plan: unknown, sent: ReadonlyArray<string>) =>
  deliver(
    planOf(plan),
    sent.map((body) => arrival(body))
  ).map((one) => text(one.hex))

describe("a program", () => {
  test("drops the first frame of a method on connection 1 alone", () => {
    const plan = planOf({
      rules: [{ connection: 1, match: { method: "session/update" }, action: "drop", times: 1 }]
    })
    const [update, other] = ['{"method":"session/update"}', '{"method":"other"}']
    const sent = [other, update, update].map((body) => arrival(body))

    const first = deliver(plan, sent, { connection: 1 })
    const second = deliver(plan, sent, { connection: 2 })

    expect(first.map((one) => text(one.hex))).toEqual([other, update])
    expect(second.map((one) => text(one.hex))).toEqual([other, update, update])
  })

  test("finds frames by number, range, step and byte", () => {
    const left = (match: unknown) => bodies({ rules: [{ match, action: "drop" }] }, ["a", "b", "c", "d", "e"]).join("")

    expect([left({ index: 0 }), left({ index: 2 }), left({ range: { from: 2, to: 4 } })]).toEqual([
      "abcde",
      "acde",
      "ae"
    ])
    expect([left({ every: 2 }), left({ every: { step: 3, first: 1 } })]).toEqual(["ace", "bce"])
    // Of what is met otherwise.
    expect([left({ range: { from: 2 }, nth: 2 }), left({ every: 2, nth: { from: 2 } }), left({ nth: 1 })]).toEqual([
      "abde",
      "abce",
      "bcde"
    ])
    expect([left({ byteOffset: 0 }), left({ byteOffset: 9 }), left({ byteOffset: 10 })]).toEqual([
      "bcde",
      "acde",
      "abde"
    ])
  })

  test("writes a frame behind the next one, and at the end where none comes", () => {
    const swap = (index: number) => ({ match: { index }, action: "reorder" })

    expect(bodies({ rules: [swap(1)] }, ["a", "b", "c"])).toEqual(["b", "a", "c"])
    expect(bodies({ rules: [swap(1), swap(2)] }, ["a", "b", "c"])).toEqual(["b", "a", "c"])
    expect(bodies({ rules: [swap(1), { match: { index: 2 }, action: "drop" }] }, ["a", "b", "c"])).toEqual(["a", "c"])
    expect(bodies({ rules: [swap(2)] }, ["a", "b"])).toEqual(["a", "b"])
    expect(bodies({ rules: [swap(1), { match: { index: 2 }, action: "sever" }] }, ["a", "b"])).toEqual([""])
  })

  test("transforms in the order of its rules, and puts what is injected around all copies", () => {
    const rules = [
      { action: { type: "truncateBody", keep: 2 } },
      { action: { type: "corrupt", offset: -1, xor: 1 } },
      { action: { type: "badLength", value: 258 } },
      { action: "duplicate" },
      { action: { type: "inject", bytes: { hex: "ff" }, at: "before" } },
      { action: { type: "inject", bytes: { text: "a" } } }
    ]

    const seen = deliver(planOf({ rules }), [arrival("abc")])

    expect(seen.map((one) => one.hex)).toEqual(["ff", "000001026163", "000001026163", "61"])
  })

  test("tells barriers, pace and the strongest ending", () => {
    const rules = [
      { action: { type: "hold", barrier: "one" } },
      { action: { type: "throttle", bytesPerSecond: 9 } },
      { action: { type: "throttle", bytesPerSecond: 5 } },
      { action: "reset" },
      { action: "vanish" },
      { action: "stall" },
      { action: { type: "splitWrites", chunkSizes: [3] } },
      { action: { type: "splitWrites", chunkSizes: [1, 2] } },
      { action: { type: "delay", ms: 30 } },
      { action: { type: "delay", ms: 5 } },
      { action: { type: "latency", ms: 7 } }
    ]
    const { push, decisions } = receiver(planOf({ rules }).lane({ direction: "clientToLeader", connection: 1 }))

    push(arrival("a"))

    expect(decisions).toMatchObject([
      { barriers: ["one"], bytesPerSecond: 5, chunkSizes: [1, 2], ending: "reset", isPostponed: false, delayMs: 42 }
    ])
  })

  test("draws jitter from all of its range, both ends with it", () => {
    const plan = planOf({ rules: [{ action: { type: "latency", ms: 10, jitterMs: 3 } }] })
    const { push, decisions } = receiver(plan.lane({ direction: "clientToLeader", connection: 1 }))

    for (let place = 0; place < 100; place++) push(arrival("a"))

    const delays = decisions.map((decision) => (decision.kind === "forward" ? decision.delayMs : null))
    expect([...new Set(delays)].sort()).toEqual([10, 11, 12, 13])
  })

  test("knows which actions change how many bytes there are", () => {
    const others = [
      { type: "truncateBody", keep: 1 },
      { type: "badLength", value: 1 },
      { type: "hold", barrier: "go" },
      { type: "delay", ms: 1 },
      { type: "latency", ms: 1 },
      { type: "inject", bytes: { text: "a" } },
      { type: "splitWrites", chunkSizes: [1] },
      { type: "throttle", bytesPerSecond: 1 }
    ]
    const changing = Object.keys(ruleTable).filter((type) => {
      const action = others.find((other) => other.type === type) ?? type
      const plan = planOf({ rules: [{ action }] })
      return plan.lane({ direction: "clientToLeader", connection: 1 }).mayChangeLength()
    })

    expect(changing).toEqual(["drop", "truncateBody", "reorder", "duplicate", "inject"])
  })

  test("takes rules while it runs, which count for the frames that come then", () => {
    const plan = planOf({})
    const { push, seen } = receiver(plan.lane({ direction: "clientToLeader", connection: 1 }))
    const rule = readRule({ action: "drop", times: 1 }, { id: "one" })

    push(arrival("a"))
    plan.add(rule)
    expect(() => plan.add(rule)).toThrow('the fault plan has a rule "one"; remove it first')
    push(arrival("b"))
    push(arrival("c"))
    expect([plan.remove("one"), plan.remove("one"), plan.revision()]).toEqual([true, false, 2])
    plan.add(rule)
    push(arrival("d"))

    expect(seen.map((one) => text(one.hex))).toEqual(["a", "c"])
  })

  test("tells how far nothing is needed", () => {
    const lane = (rules: ReadonlyArray<unknown>) =>
      planOf({ rules }).lane({ direction: "clientToLeader", connection: 1 })
    const next = { index: 2, bytesBefore: 10 }

    expect(lane([]).needs(next)).toEqual({ kind: "nothing", until: null })
    expect(lane([{ match: { index: 1 }, action: "drop" }]).needs(next)).toEqual({ kind: "nothing", until: null })
    expect(lane([{ match: { every: 7 }, action: "drop" }]).needs(next)).toEqual({ kind: "nothing", until: 7 })
    expect(lane([{ match: { byteOffset: 9 }, action: "drop" }]).needs(next)).toEqual({ kind: "nothing", until: null })
    expect(lane([{ match: { byteOffset: 10 }, action: "drop" }]).needs(next)).toEqual({ kind: "frame" })
    expect(lane([{ match: { method: "x" }, action: "drop" }]).needs(next)).toEqual({ kind: "content" })
    expect(lane([{ match: { method: "x", index: 5 }, action: "drop" }]).needs(next)).toMatchObject({ until: 5 })
  })
})

describe("bytes", () => {
  test("are severed in the header, or in the frame where it has none, but never behind their last", () => {
    const point = (headerBytes: number, totalBytes: number, afterBytes?: number) =>
      severPoint({ headerBytes, totalBytes }, afterBytes)

    expect([point(4, 9), point(1, 9), point(1, 1), point(0, 9), point(0, 1), point(4, 9, 99), point(4, 9, 0)]).toEqual([
      2, 1, 0, 4, 0, 8, 0
    ])
  })

  test("get another length in the form that their framing has", () => {
    const header = new TextEncoder().encode("X: 1\r\ncontent-length: 2\r\n\r\n")

    expect(hex(prefixLength()(new Uint8Array(2), 0x10203))).toBe("0203")
    expect(hex(prefixLength({ isLittleEndian: true })(new Uint8Array(4), 258))).toBe("02010000")
    expect(new TextDecoder().decode(contentLengthDigits(header, 100))).toBe("X: 1\r\ncontent-length: 100\r\n\r\n")
    expect(hex(webSocketLength(Uint8Array.of(0x81, 0x85, 1, 2, 3, 4), 300))).toBe("81ac01020304")
    expect(hex(webSocketLength(Uint8Array.of(0x81, 126, 0, 200), 300))).toBe("817e012c")
    expect(hex(noLength(Uint8Array.of(1), 300))).toBe("01")
  })

  test("are split into sizes of which the last is repeated, and throttled without a byte too early", () => {
    expect([...splitPieces(Uint8Array.of(1, 2, 3, 4, 5, 6), [1, 2])].map(hex)).toEqual(["01", "0203", "0405", "06"])
    // More pieces than anybody could keep.
    expect(splitPieces(new Uint8Array(2 ** 28), [1]).next().value).toHaveLength(1)
    expect([throttledMs(1, 4), throttledMs(3, 3), throttledBytes(50), throttledBytes(6_400)]).toEqual([
      250, 1_000, 1, 64
    ])
    expect([wholeMs(throttledMs(1, 3)), wholeMs(0.1 + 0.2 - 0.3), wholeMs(0.1)]).toEqual([334, 0, 1])
  })
})

describe("chance", () => {
  test("follows the label, not the order, and is as likely as it says", () => {
    const count = (probability: number) =>
      Array.from({ length: 2_000 }, (_, n) => happens(labelledChoice(7), probability, `frame ${n}`)).filter(Boolean)
        .length

    expect([count(0), count(1)]).toEqual([0, 2_000])
    expect(Math.abs(count(0.25) - 500)).toBeLessThan(80)
    expect(Math.abs(count(0.9) - 1_800)).toBeLessThan(80)
    expect(happens({ draw: () => 0 }, 0.99, "calm")).toBe(false)
  })
})
