import fc from "fast-check"
import { baselineFaults } from "../../src/domain/fault-names.ts"
import type { BodyName, FaultAsk, RouteName } from "../model/fault-ask.ts"
import { weighted } from "./weighted.ts"

/** How wrong and how slow the requests of a history are. */
export interface AskParts {
  /** Requests that fail gates. */
  readonly isStray?: boolean
  readonly isSlow?: boolean
  /** Clients that read slowly. */
  readonly isWindowed?: boolean
  readonly asksForFaults?: boolean
}

/** Lanes that requests come from, one of them the name of the lane for all others. */
export const laneNames = ["alpha", "beta", "é x", "default"] as const

const lane = weighted<string | null>([3, null], [3, "alpha"], [2, "beta"], [1, "bert"], [1, "é x"], [1, "default"])

const goodRoutes = weighted<RouteName>(
  [4, "chat"],
  [1, "bareChat"],
  [1, "dottedChat"],
  [1, "absoluteChat"],
  [2, "responses"],
  [2, "messages"]
)
const anyRoute = fc.oneof(
  { weight: 8, arbitrary: goodRoutes },
  { weight: 1, arbitrary: fc.constantFrom<RouteName>("slashed", "prefixed", "encoded", "unreadable", "models") }
)

const goodBodies = weighted<BodyName>(
  [5, "stream"],
  [3, "spelled"],
  [2, "usage"],
  [2, "reply"],
  [1, "silent"],
  [1, "empty"],
  [1, "null"],
  [1, "list"]
)
const anyBody = fc.oneof(
  { weight: 7, arbitrary: goodBodies },
  { weight: 1, arbitrary: fc.constantFrom<BodyName>("broken", "blank", "marked") }
)

/** Requests, each part drawn by itself, so that several gates fail at once. */
export const anyFaultAsk = ({
  isStray = false,
  isSlow = false,
  isWindowed = false,
  asksForFaults = false
}: AskParts = {}): fc.Arbitrary<FaultAsk> =>
  fc.record({
    method: isStray
      ? weighted([30, "POST"], [1, "GET"], [1, "HEAD"], [1, "OPTIONS"], [1, "post"])
      : fc.constant("POST"),
    route: isStray ? anyRoute : goodRoutes,
    key: isStray
      ? weighted([5, "right"], [1, "none"], [1, "wrong"], [1, "lowerCase"], [2, "inMessages"])
      : weighted([3, "right"], [1, "inMessages"]),
    body: isStray ? anyBody : goodBodies,
    isLarge: isStray ? weighted([6, false], [1, true]) : fc.constant(false),
    pathLane: lane,
    headerLane: fc.oneof({ weight: 6, arbitrary: lane }, { weight: 1, arbitrary: fc.constant("") }),
    isTurn: fc.boolean(),
    fault: asksForFaults
      ? fc.oneof(
          { weight: 6, arbitrary: fc.constant(null) },
          { weight: 2, arbitrary: fc.constantFrom(...baselineFaults) },
          { weight: 1, arbitrary: fc.constant("none such" as const) }
        )
      : fc.constant(null),
    faultMode: weighted([2, null], [1, "fin"], [1, "rst"]),
    isSlow: isSlow ? weighted([2, false], [1, true]) : fc.constant(false),
    isOnKept: weighted([2, false], [1, true]),
    windowBytes: isWindowed ? weighted<number | null>([3, null], [1, 1], [1, 64], [1, 1_000]) : fc.constant(null)
  })
