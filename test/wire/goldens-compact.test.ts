import { describe, expect, it } from "vitest"
import { chat } from "../../src/wire/chat/chat.ts"
import { messages } from "../../src/wire/messages/messages.ts"
import { responses } from "../../src/wire/responses/responses.ts"
import { chatEcho, trailingEcho } from "../../src/wire/splitters.ts"
import { encodeEvents } from "../../src/wire/sse-frame.ts"
import { measured } from "./decoding.ts"
import { fenced, unicode } from "./scenarios.ts"

const compact = { profile: "compact", model: "m" } as const
const spaced = "a  b\tc\n"
const echoed = "Echo: a  b\nc"
const readFile = { callId: "call_1", name: "read_file", arguments: '{"path":"a.txt"}' }
const repetition = ["tail_repetition:4@response", "tail_repetition:2@response"] as const

// wire-formats.md, section 7.1; the number of frames, of bytes, the digest.
const goldens = [
  [
    1,
    "chat exact",
    chat.text({ ...compact, text: spaced }),
    5,
    714,
    "799963ade39e6a2ebbc4e314ab2fdac6713ca2907c5bff851fa9637dd398b80b"
  ],
  [
    2,
    "chat echo",
    chat.text({ ...compact, text: echoed, split: chatEcho }),
    6,
    880,
    "eff25d783dc6496309f903710d193184728327d305484b3dce77dd3ee5c4e36d"
  ],
  [
    3,
    "chat exact, empty",
    chat.text({ ...compact, text: "" }),
    3,
    377,
    "751e1e40da332ca582c086ace4aa58d83e9b69aba1b434946b72e2b4cd8f6a47"
  ],
  [
    4,
    "chat echo, blank",
    chat.text({ ...compact, text: "  \n", split: chatEcho }),
    2,
    192,
    "23285a53418caaa271de811e39d88c18f715a9e90815bb272202e7b94731930a"
  ],
  [
    5,
    "chat exact, fenced",
    chat.text({ ...compact, text: fenced }),
    10,
    1587,
    "b92f1b36a1d1b8a8d38dda33db01c3e7fd9d175d485e7479435b968f43ccbc36"
  ],
  [
    6,
    "chat exact, unicode",
    chat.text({ ...compact, text: unicode }),
    5,
    725,
    "d2e38dc57267320488433c90ff1e269d1c405b172e9de18bd6e011c8a10a707c"
  ],
  [
    7,
    "Responses exact",
    responses.text({ ...compact, text: spaced }),
    6,
    1073,
    "d8844addb439461521ad889544f9d49851e4d30680a459c32728dc99417a714d"
  ],
  [
    8,
    "Responses echo",
    responses.text({ ...compact, text: echoed, split: trailingEcho }),
    7,
    1213,
    "75ece8c4eacd7ca93f0e770ec8eb5b77f3e41619ffc9c12218be12528af2e206"
  ],
  [
    9,
    "Responses exact, empty",
    responses.text({ ...compact, text: "" }),
    3,
    656,
    "4d6abf85ebc66407eb58b27b364df106bc32f3495a04d53e0dc7b0b80a44e72c"
  ],
  [
    10,
    "Responses exact, fenced",
    responses.text({ ...compact, text: fenced }),
    11,
    1844,
    "3cea4b3ee1961739a751ced94a20e1e8d3336597b4e9407c695cc57538429b53"
  ],
  [
    11,
    "Messages",
    messages.text({ ...compact, text: spaced }),
    6,
    624,
    "6689c9dc26119096b5c6d7219e7dbdf6864cce7386f2bf7de8f634cc9fba9db8"
  ],
  [
    12,
    "reasoning only",
    responses.reasoning({ ...compact, reasoning: "alpha beta" }),
    5,
    954,
    "5d02b64934565bfaa3901121654312cc773a4a980fadf5d7ded6a9179fb0a1e0"
  ],
  [
    13,
    "reasoning and text",
    responses.reasoningText({ ...compact, reasoning: "alpha beta", text: "the answer" }),
    7,
    1379,
    "f952ee2b97ab851314e76e625328608a78541cdc9dcd72c8eef80b3adb8a91c5"
  ],
  [
    14,
    "think-then-call, Responses",
    responses.thinkThenCall({ ...compact, reasoning: "alpha beta", ...readFile }),
    6,
    1197,
    "e12c497de4b164c5c326a9e54911c01bfae60fc3242d352a1c018b13f33127c8"
  ],
  [
    15,
    "think-then-call, chat",
    chat.thinkThenCall({ ...compact, reasoning: "alpha beta", ...readFile }),
    5,
    914,
    "74e75e3a0ef6213d6f59cee24fe3201c2c02c6f33b956e97d3e447418e6ddabe"
  ],
  [
    16,
    "doom check",
    responses.doomCheck({ ...compact, labels: repetition, reasoning: "round and round" }),
    8,
    1549,
    "a3b73036f5b9cfe73706075682bd85be857806199a18e23dcf7621018f8631c5"
  ],
  [
    17,
    "doom terminal only",
    responses.doomTerminal({ ...compact, labels: ["low_logprob@thinking"], reasoning: "brief", text: "the answer" }),
    6,
    1274,
    "8fca14c7acf3104d27601da58a5afde92e916427ceadd2f2ac61c55ada4824dc"
  ],
  [
    18,
    "doom splice",
    responses.doomSplice({
      ...compact,
      payload: '{"type":"response.doom_loop_check","doom_loop_check":{"triggers":42}}',
      reasoning: "hm",
      text: "hi"
    }),
    6,
    1172,
    "a5c1c40dd18c3ac6fb1a9d168474a2404284ca995512d10fcd13c406426c9b62"
  ]
] as const

describe("compact bytes", () => {
  it.each(goldens)("golden %i, %s, is reproduced to the byte", (_number, _scenario, events, frames, bytes, sha256) => {
    expect(measured(events)).toEqual({ frames, bytes, sha256 })
  })

  it("golden 1 reads as documented", () => {
    const head = '{"id":"chatcmpl-test","object":"chat.completion.chunk","created":1234567890,"model":"m","choices":['
    const expected = [
      `data: ${head}{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}`,
      `data: ${head}{"index":0,"delta":{"content":" "},"finish_reason":null}]}`,
      `data: ${head}{"index":0,"delta":{"content":" b\\tc\\n"},"finish_reason":"stop"}]}`,
      `data: ${head}],"usage":{"prompt_tokens":10,"completion_tokens":3,"total_tokens":13}}`,
      "data: [DONE]"
    ]

    expect(encodeEvents(chat.text({ ...compact, text: spaced }))).toBe(expected.map((frame) => `${frame}\n\n`).join(""))
  })

  it("golden 16 reads as documented in frames 5 to 7", () => {
    const events = responses.doomCheck({ ...compact, labels: repetition, reasoning: "round and round" })
    const check = "event: response.doom_loop_check\ndata: "
    const expected = [
      `${check}{"sequence_number":4,"type":"response.doom_loop_check","doom_loop_check":{"triggers":["tail_repetition:4@response"]}}`,
      `${check}{"sequence_number":5,"type":"response.doom_loop_check","doom_loop_check":{"triggers":["tail_repetition:4@response","tail_repetition:2@response"]}}`,
      'data: {"type":"response.completed","sequence_number":4,"response":{"id":"resp_test","object":"response","created_at":1234567890,"model":"m","status":"completed","output":[{"type":"reasoning","id":"reasoning_item_1","summary":[{"type":"summary_text","text":"round and round"}],"status":"completed"}],"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":5}},"doom_loop_check":{"triggers":["tail_repetition:4@response","tail_repetition:2@response"]}}}'
    ]

    expect(encodeEvents(events.slice(4, 7))).toBe(expected.map((frame) => `${frame}\n\n`).join(""))
  })

  it("compact Messages text reads as documented", () => {
    const expected = [
      '{"type":"message_start","message":{"id":"msg_test","type":"message","role":"assistant","content":[],"model":"tide-1","stop_reason":null,"usage":{"input_tokens":10,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Sea is calm"}}',
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5,"input_tokens":10}}',
      '{"type":"message_stop"}'
    ]

    const events = messages.text({ profile: "compact", model: "tide-1", text: "Sea is calm" })

    expect(encodeEvents(events)).toBe(expected.map((data) => `data: ${data}\n\n`).join(""))
  })

  it("the same scenario gives the same bytes", () => {
    const again = responses.text({ ...compact, text: spaced })

    expect(encodeEvents(again)).toBe(encodeEvents(responses.text({ ...compact, text: spaced })))
  })

  it("ids, creation time and counts can be replaced", () => {
    const options = { ...compact, id: "x", created: 7, text: "a" }

    expect(encodeEvents(chat.text({ ...options, usage: { promptTokens: 1, completionTokens: 2 } }))).toContain(
      '"id":"x","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}'
    )
    expect(encodeEvents(responses.text({ ...options, usage: { inputTokens: 1, outputTokens: 2 } }))).toContain(
      '"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3'
    )
    expect(encodeEvents(messages.text({ ...options, stopReason: "max_tokens", usage: { outputTokens: 2 } }))).toContain(
      '"delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":2,"input_tokens":10}'
    )
  })
})
