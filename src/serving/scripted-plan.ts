import type { PlacedBarrier } from "../domain/barrier.ts"
import type { BodyPiece } from "../domain/body-piece.ts"
import { composePlan, type PlanBody } from "../domain/compose-plan.ts"
import type { WireProfile } from "../domain/endpoint.ts"
import type { Pacing } from "../domain/pacing.ts"
import type { BarrierOwner, Ending, Plan } from "../domain/plan.ts"
import type { FaultBody, ScriptedBody, ScriptedResponse } from "../domain/scripted-response.ts"
import { hasNoBody } from "../domain/status.ts"
import { type Carried, responseHeaders } from "../wire/response-headers.ts"
import { encodeEvent } from "../wire/sse-frame.ts"
import { paceOf } from "./pace.ts"

/**
 * A response made ready for the wire once, when it is registered: a copy that later edits cannot reach.
 *
 * @since 0.1.0
 * @category plans
 */
export interface WireResponse {
  readonly status: number
  readonly headers: ReadonlyArray<string>
  readonly body: PlanBody
  readonly ending: Ending
  readonly splitBytes: number | null
  readonly pacing: Pacing | null
  readonly fault: ScriptedFault | null
}

/** A fault that a test scripted, with the headers it added: the rest is made when it is known which request it answers. */
export interface ScriptedFault extends FaultBody {
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
}

/** @since 0.1.0 @category constructors */
export const wireResponse = (response: ScriptedResponse, profile: WireProfile): WireResponse => {
  const { carried, body } = encodeBody(response.body)
  const isBare = hasNoBody(response.status) && body.kind !== "headless"
  const contentBytes = isBare || body.kind !== "whole" ? null : byteLength(body.bytes)
  return {
    status: response.status,
    headers: responseHeaders({ carried, profile, contentBytes, scripted: response.headers }),
    body: isBare ? { kind: "bare" } : beginningOf(body, response.cutBytes),
    ending: response.ending,
    splitBytes: response.splitBytes ?? null,
    pacing: response.pacing ?? null,
    fault: response.body.kind === "fault" ? { ...response.body, headers: [...response.headers] } : null
  }
}

/** So much of a whole body as is sent; its head knows nothing of that. */
const beginningOf = (body: PlanBody, cutBytes: number | undefined): PlanBody => {
  if (cutBytes === undefined || body.kind !== "whole") return body
  const bytes = typeof body.bytes === "string" ? Buffer.from(body.bytes) : body.bytes
  return { kind: "whole", bytes: bytes.subarray(0, cutBytes) }
}

const encodeBody = (body: ScriptedBody): { readonly carried: Carried; readonly body: PlanBody } => {
  switch (body.kind) {
    case "sse":
      return {
        carried: "sse",
        body: { kind: "frames", frames: body.events.map((event) => encodeEvent(event, body.lineEnding)) }
      }
    case "json":
      return { carried: "json", body: { kind: "whole", bytes: JSON.stringify(body.value) } }
    case "raw":
      return typeof body.bytes === "string"
        ? { carried: "text", body: { kind: "whole", bytes: body.bytes } }
        : { carried: "bytes", body: { kind: "whole", bytes: new Uint8Array(body.bytes) } }
    case "pieces":
      return { carried: "text", body: { kind: "pieces", pieces: body.pieces.map(copyPiece) } }
    case "empty":
      return { carried: "empty", body: { kind: "whole", bytes: "" } }
    // The body of a fault is made later.
    case "fault":
    case "none":
      return { carried: "empty", body: { kind: "headless" } }
  }
}

const copyPiece = ({ bytes, delayMs = 0 }: BodyPiece): BodyPiece => ({
  bytes: typeof bytes === "string" ? bytes : new Uint8Array(bytes),
  delayMs
})

/** The length in bytes of what goes on the wire. */
export const byteLength = (bytes: string | Uint8Array): number =>
  typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.byteLength

/** What differs between two copies of one response. */
export interface PlanTerms {
  readonly delayMs: number | null
  readonly barriers: ReadonlyArray<PlacedBarrier>
  readonly owner: BarrierOwner
}

/** No pause and no barrier. */
export const unpaced: PlanTerms = { delayMs: null, barriers: [], owner: "call" }

/** The plan of one copy. */
export const planOf = (response: WireResponse, { delayMs, barriers, owner }: PlanTerms): Plan =>
  composePlan({
    // Listed key by key: a spread costs more than all the rest of a small answer.
    status: response.status,
    headers: response.headers,
    body: response.body,
    ending: response.ending,
    splitBytes: response.splitBytes,
    // The delay of the server is one between events.
    pace: response.pacing === null ? null : paceOf(response.pacing, response.body.kind === "frames" ? delayMs : null),
    delayMs,
    barriers,
    owner
  })
