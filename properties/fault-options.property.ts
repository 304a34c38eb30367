import fc from "fast-check"
import { expect, test } from "vitest"
import type { FaultServerOptions } from "../src/faults/fault-server-api.ts"
import { startFaults } from "../src/faults/start-fault-server.ts"
import { makeVirtualClock } from "../src/kernel/virtual-clock.ts"
import { makeVirtualHttp } from "../src/sim/virtual-http.ts"
import { badOption } from "./arbitraries/fault-bad-options.ts"
import { anyFaultSetup } from "./arbitraries/fault-histories.ts"
import { checkProperty } from "./check.ts"
import type { FaultSetup } from "./model/fault-history.ts"
import { optionsOf } from "./observation/fault-options.ts"
import { plainLifetime } from "./observation/slow-http.ts"

/** Tries to start a server, and looks at what it left of its world. */
const tryToStart = (options: object) => {
  const clock = makeVirtualClock()
  const http = makeVirtualHttp(clock)
  const reports: Array<string> = []
  const ports = { clock, http, lifetime: plainLifetime(), anySeed: () => 0, countsConnects: true }
  let refusal = "none"
  try {
    startFaults(ports, Object.assign<FaultServerOptions, object>({}, options), {
      started: () => reports.push("started"),
      failed: () => reports.push("failed")
    })
  } catch (error) {
    refusal = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  clock.settle()
  return { refusal, reports, timers: clock.armed(), isListening: isListening(() => http.connect()) }
}

const isListening = (connect: () => unknown): boolean => {
  try {
    connect()
    return true
  } catch {
    return false
  }
}

/** Where lanes are bad, their scripts cannot stand in for that of the server. */
const withScript = (setup: FaultSetup): FaultSetup => ({ ...setup, script: setup.script ?? oneSuccess })

const oneSuccess = {
  entries: [{ behavior: "success", times: 1, mode: null, options: null }],
  repeatLast: false
} as const

// Seen to fail when the options of entries are not checked, when `requestId` may be what no header carries, when
// `randomWeights: null` means the default (it did), when the port is bound first, and when nobody looks at the form of
// `lanes` (nobody did).
test("35. any invalid option is refused before a port is bound, by name, and nothing is left of the server", () =>
  checkProperty(
    "invalid options",
    fc.property(anyFaultSetup(), badOption, (setup, { member, value }) => {
      // With lanes of their own, or with repeatLast, there are scripts that would be none otherwise.
      const good = optionsOf(member === "sequence" ? { ...setup, lanes: null, script: null } : withScript(setup))
      const others = member === "profile" ? { ...good, randomWeights: undefined } : good
      const { refusal, ...left } = tryToStart({ ...others, [member]: value })

      expect(refusal).toMatch(/^InvalidOption: /)
      expect(left).toEqual({ reports: [], timers: 0, isListening: false })
      expect(refusal).toContain(member)
    }),
    { runs: 400 }
  ))

// Seen to fail when a number that is absent is refused, and when an option is missing in the table of checks.
test("35. every valid option is taken: the server listens", () =>
  checkProperty(
    "valid options",
    fc.property(anyFaultSetup({ gaps: true }), anyFaultSetup(), (gapped, laned) => {
      for (const setup of [gapped, laned]) {
        expect(tryToStart(optionsOf(setup))).toMatchObject({ refusal: "none", reports: ["started"] })
      }
    })
  ))
