import { endpointPaths } from "../../../src/domain/endpoint.ts"
import type { VirtualRequest } from "../../../src/sim.ts"
import { jsonRequest } from "../../support/requests.ts"

/** A foreground request with this request id; two with one id and one text are the same call. */
export const requestWith = ({ id, text }: { readonly id: string; readonly text: string }): VirtualRequest =>
  jsonRequest(endpointPaths.ChatCompletions, { messages: [{ role: "user", content: text }] }, [
    ["x-grok-req-id", id],
    ["x-grok-turn-idx", "1"]
  ])
