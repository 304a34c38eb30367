import type { FaultName } from "../../../src/domain/fault-names.ts"

/** A behaviour and `events / bytes / first 16 digits of SHA-256` of its stream in each format. */
export type Golden = readonly [name: FaultName, chat: string, responses: string, messages: string]

const successRow = ["5 / 398 / 16dbaec45111ba03", "11 / 2714 / 6dce1f2062867478", "8 / 976 / 17f7d73ff7fee8f5"] as const
const partialRow = ["4 / 334 / fd3fe2c81419a408", "8 / 1627 / e818539e6a06fb4b", "6 / 832 / 2cd5c9be7428db6c"] as const
const nothing = "0 / 0 / e3b0c44298fc1c14"

/**
 * What the specification pins of default options in the minimal chunk shape, first attempt, model `m`. Behaviours with
 * the same bytes stand together.
 *
 * **Source** fault-server.md, sections 1.4 (with the event counts of 1.2) and 9.4.4
 */
export const goldens: ReadonlyArray<Golden> = [
  ["success", ...successRow],
  ["slow_success", ...successRow],
  ["wrong_content_type", ...successRow],
  ["max_tokens", "5 / 400 / 4a5a13bf32c24bb2", "11 / 2745 / e70f04b4e2d36704", "8 / 978 / a8b25e4896e31f0a"],
  ["reasoning_success", "7 / 586 / ca77dccac981b79f", "18 / 4254 / f9dd61336a91f0da", "13 / 1582 / b5774d3a9d6b9548"],
  ["tool_call_success", "4 / 463 / 26875d85ddf72766", "8 / 2112 / aad0c809c27f42f1", "7 / 928 / 2d2b100f5b25aea4"],
  ["empty", "2 / 143 / c84ed4ccbc08be47", "3 / 884 / 3b94de2034fb3e44", "3 / 417 / c92725392010320c"],
  ["stream_eof", "1 / 83 / e52fb8329d55431d", "1 / 245 / e33e7c06e4b350c7", "1 / 229 / a449a3821a18a814"],
  ["partial_eof", ...partialRow],
  ["partial_disconnect", ...partialRow],
  ["malformed_json", "2 / 31 / 195881544bda8665", "4 / 935 / 3b7989ee6840d207", "3 / 324 / a30607c8aa5e9ea0"],
  ["malformed_event", "2 / 40 / 83a70bcf84a9f0d6", "4 / 976 / 8ecd1c168ec8ee40", "3 / 368 / 84ea025145097a6f"],
  ["empty_body", nothing, nothing, nothing],
  ["stall", nothing, nothing, nothing],
  ["stream_disconnect", nothing, nothing, nothing],
  ["connection_reset", nothing, nothing, nothing]
]
