import { describe, expect, test } from "vitest"
import { recordedLine } from "../../src/cli/proxy-record-file.ts"
import type { ProxyFact } from "../../src/proxy/proxy-event.ts"
import { isProblem, proxyEventLine } from "../../src/proxy/proxy-event-line.ts"

const frame = { type: "frame", connection: 2, direction: "leaderToClient", index: 3, bytes: 120 } as const

const lines: ReadonlyArray<readonly [fact: ProxyFact, line: string]> = [
  [{ type: "listening", address: { kind: "tcp", host: "::1", port: 4010 } }, "listening at tcp:[::1]:4010"],
  [{ type: "accepted", connection: 1 }, "#1 accepted"],
  [{ type: "connected", connection: 1 }, "#1 connected"],
  [{ type: "refused", connection: 1, reason: "connect ENOENT /a\u001b[2J" }, "#1 refused: connect ENOENT /a?[2J"],
  [{ ...frame, frames: 1, action: "dropped", rules: ["a\n", "b"] }, "#2 u2c frame 3, 120 bytes: dropped by a?, b"],
  [{ ...frame, frames: 4, action: "forwarded", rules: [] }, "#2 u2c frames 3 to 6, 120 bytes: forwarded"],
  [{ type: "half-closed", connection: 1, direction: "clientToLeader" }, "#1 c2u ended"],
  [
    { type: "frame error", connection: 1, direction: "clientToLeader", reason: "too long" },
    "#1 c2u cannot go on: too long"
  ],
  [{ type: "severed", connection: 1, reason: "rule-1" }, "#1 severed: rule-1"],
  [{ type: "closed", connection: 1 }, "#1 closed"],
  [{ type: "failed", reason: "EMFILE" }, "nobody is accepted any more: EMFILE"],
  [{ type: "stopped" }, "stopped"]
]

describe("an event of a proxy for people", () => {
  test.each(lines)("%j", (fact, line) => {
    expect(proxyEventLine({ ...fact, at: 1_234.5 })).toBe(`    1.234  ${line}`)
  })

  test("is told in any case when it is a problem", () => {
    const problems = lines.map(([fact]) => ({ ...fact, at: 0 })).filter(isProblem)

    expect(problems.map(({ type }) => type)).toEqual(["refused", "frame error", "failed"])
  })
})

describe("a recorded frame as a line", () => {
  const recorded = (bytes: Uint8Array, headerBytes: number, index: number | null = 1) =>
    JSON.parse(
      recordedLine({ connection: 1, direction: "clientToLeader", index, kind: null, headerBytes, bytes, at: 5 })
    )

  test("has header and body apart, as text where that can be read", () => {
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from("añ")])

    expect(recorded(bytes, 4)).toEqual({
      type: "frame",
      at: 5,
      connection: 1,
      direction: "clientToLeader",
      index: 1,
      header: { hex: "00000003" },
      body: { text: "añ" }
    })
  })

  test("has no header where the framing has none, and no index where it is a tail", () => {
    expect(recorded(Buffer.from("{}\r\n"), 0)).not.toHaveProperty("header")
    expect(recorded(Buffer.from([0xff]), 0, null)).toEqual({
      type: "tail",
      at: 5,
      connection: 1,
      direction: "clientToLeader",
      body: { hex: "ff" }
    })
  })
})
