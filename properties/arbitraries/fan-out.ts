import fc from "fast-check"
import type { RequestClass } from "../../src/domain/classification.ts"
import type { History, RequestSpec, Step } from "../model/command.ts"
import { readable } from "./histories.ts"
import { barriers, endpoint, fitting, script } from "./requests.ts"

const requestsMax = 7
const expectationsMax = 7
const queuedMax = 3

/**
 * Many requests of one class at once, all different calls, and what they can get.
 *
 * @since 0.1.0
 * @category models
 */
export interface FanOut extends History {
  readonly requests: number
  readonly expectations: number
  readonly queued: number
}

const scripted = fc
  .record({ script, barriers })
  .map(({ script, barriers }) => ({ script, barriers: fitting(barriers, script) }))

/**
 * N requests in one millisecond, in a drawn order, against M expectations that match, some that do not, and a short queue.
 *
 * @since 0.1.0
 * @category models
 */
export const fanOut: fc.Arbitrary<FanOut> = fc
  .record({
    endpoint,
    kind: fc.constantFrom<RequestClass["kind"]>("foreground", "auxiliary"),
    scripts: fc.array(scripted, { maxLength: expectationsMax }),
    decoys: fc.array(scripted, { maxLength: 2 }),
    queue: fc.array(script, { maxLength: queuedMax }),
    identities: fc.array(fc.boolean(), { maxLength: requestsMax }),
    choices: fc.array(fc.nat(requestsMax), { maxLength: 20 }),
    delayMs: fc.constantFrom(null, 10)
  })
  .map(({ endpoint, kind, scripts, decoys, queue, identities, choices, delayMs }) => {
    const other: RequestClass = { endpoint, kind: kind === "foreground" ? "auxiliary" : "foreground" }
    const first: ReadonlyArray<Step> = [
      now({ type: "delay", ms: delayMs }),
      ...decoys.map((one, index) => now({ type: "register", name: `decoy-${index}`, matcher: other, ...one })),
      ...scripts.map((one, index) =>
        now({ type: "register", name: `own-${index}`, matcher: { endpoint, kind }, ...one })
      ),
      ...queue.map((script) => now({ type: "enqueue", queue: endpoint, script }))
    ]
    const asked = identities.map(
      (hasIdentity, index): Step => ({
        after: index === 0 ? 1 : "turn",
        command: { type: "request", request: requestOf({ endpoint, kind }, hasIdentity ? `id-${index}` : null) }
      })
    )
    return readable({
      setup: { profile: "compact", requiresKey: false, logEntriesMax: 1024 },
      steps: [...first, ...asked],
      choices,
      requests: identities.length,
      expectations: scripts.length,
      queued: queue.length
    })
  })

const now = (command: Step["command"]): Step => ({ after: "turn", command })

const requestOf = ({ endpoint, kind }: RequestClass, id: string | null): RequestSpec => ({
  endpoint,
  headers: kind === "foreground" ? (id === null ? "turn" : "both") : id === null ? "none" : "id",
  id: id ?? "a",
  body: "plain",
  tools: 0,
  streams: true,
  spelling: 0,
  key: "none",
  windowBytes: null
})
