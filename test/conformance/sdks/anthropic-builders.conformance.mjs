import { deepEqual, equal } from "node:assert/strict"
import { ScriptedResponse } from "llm-understudy"
import { messagesReply, messages as streams } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { enqueue } from "../scripts.mjs"
import { anthropicClients, connect, isOldest } from "./anthropic-clients.mjs"

const model = "test-model"
const request = { model, max_tokens: 100, messages: [{ role: "user", content: "hi" }] }
const depth = { callId: "toolu_kelp", name: "depth", arguments: '{"m": 40}' }
const width = { callId: "toolu_reef", name: "width", arguments: '{"m":7, "unit":"ft"}' }
const bare = { callId: "toolu_bare", name: "now", arguments: "" }

const text = (text) => ({ type: "text", text })
const thinking = (thinking, signature) => ({ type: "thinking", thinking, signature })
const toolUse = ({ callId: id, name }, input) => ({ type: "tool_use", id, name, input })
const citation = {
  type: "web_search_result_location",
  url: "https://example.test/",
  title: "Sea",
  encrypted_index: "e",
  cited_text: "Sea"
}
const found = {
  type: "web_search_result",
  url: "https://example.test/",
  title: "Sea",
  encrypted_content: "c",
  page_age: null
}

/** For each scenario: its input, the blocks that the client must see, and its stop reason. */
const rows = {
  text: { input: { text: "Sea is calm" }, blocks: [text("Sea is calm")] },
  empty: { input: {}, blocks: [] },
  "empty text": { builder: "text", input: { text: "" }, blocks: [text("")] },
  "thinking only": {
    builder: "thinking",
    input: { reasoning: "let me see", signature: "sig_one" },
    blocks: [thinking("let me see", "sig_one")]
  },
  "thinking and text": {
    builder: "thinkingText",
    input: { reasoning: "let me see", signature: "sig_one", text: "yes it is" },
    blocks: [thinking("let me see", "sig_one"), text("yes it is")]
  },
  "think then call": {
    builder: "thinkThenCall",
    input: { reasoning: "let me see", signature: "sig_one", ...depth },
    blocks: [thinking("let me see", "sig_one"), toolUse(depth, { m: 40 })],
    reason: "tool_use"
  },
  call: { input: depth, blocks: [toolUse(depth, { m: 40 })], reason: "tool_use" },
  "a call without input": { builder: "call", input: bare, blocks: [toolUse(bare, {})], reason: "tool_use" },
  "parallel calls": {
    builder: "calls",
    input: { calls: [depth, width] },
    blocks: [toolUse(depth, { m: 40 }), toolUse(width, { m: 7, unit: "ft" })],
    reason: "tool_use"
  },
  "text and a call": {
    builder: "textCalls",
    input: { text: "I look", calls: [depth] },
    blocks: [text("I look"), toolUse(depth, { m: 40 })],
    reason: "tool_use"
  },
  "redacted thinking": {
    builder: "redactedThinking",
    input: { data: "c2VhbGVk", text: "yes" },
    blocks: [{ type: "redacted_thinking", data: "c2VhbGVk" }, text("yes")]
  },
  citations: {
    input: { text: "Sea is calm", citations: [citation] },
    blocks: [{ ...text("Sea is calm"), citations: [citation] }]
  },
  "a web search": {
    builder: "webSearch",
    input: { query: "sea", results: [found], text: "Sea is calm", citations: [citation] },
    blocks: [
      { type: "server_tool_use", id: "srvtoolu_mock", name: "web_search", input: { query: "sea" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_mock", content: [found] },
      { ...text("Sea is calm"), citations: [citation] }
    ]
  },
  "a stop sequence": {
    builder: "stopSequence",
    input: { text: "one two", stopSequence: "###" },
    blocks: [text("one two")],
    reason: "stop_sequence",
    sequence: "###"
  },
  refusal: { input: { text: "I will", category: "cyber" }, blocks: [text("I will")], reason: "refusal" },
  "a paused turn": {
    builder: "pauseTurn",
    input: { query: "sea", text: "I look" },
    blocks: [
      text("I look"),
      { type: "server_tool_use", id: "srvtoolu_mock", name: "web_search", input: { query: "sea" } }
    ],
    reason: "pause_turn"
  }
}

for (const [name, row] of Object.entries(rows)) {
  const { builder = name, blocks, reason = "end_turn", sequence = null } = row
  const verify = (message, wanted = blocks) => {
    deepEqual(message.content.map(pick), wanted)
    deepEqual([message.stop_reason, message.stop_sequence], [reason, sequence])
  }
  checkEach(anthropicClients, `messages: the helper reads ${name}`, async (server, client) => {
    enqueue(server, "Messages", ScriptedResponse.sse(streams[builder]({ ...row.input, model })))

    const message = await connect(client, server).messages.stream(request).finalMessage()
    verify(message, isOldest(client) ? blocks.map(withoutServerInput) : blocks)
  })
  checkEach(anthropicClients, `messages: the JSON reply has ${name}`, async (server, client) => {
    enqueue(server, "Messages", ScriptedResponse.json(200, messagesReply[builder]({ ...row.input, model })))

    verify(await connect(client, server).messages.create(request))
  })
}

// The oldest version keeps the input of a server's tool as it was when its block started.
const withoutServerInput = (block) => (block.type === "server_tool_use" ? { ...block, input: {} } : block)

const kept = [
  "type",
  "text",
  "thinking",
  "signature",
  "data",
  "id",
  "tool_use_id",
  "name",
  "input",
  "content",
  "citations"
]

/** What a block says, without what every block has anyway. */
const pick = (block) =>
  Object.fromEntries(
    kept.flatMap((key) => (block[key] === undefined || block[key] === null ? [] : [[key, block[key]]]))
  )

checkEach(anthropicClients, "messages: a search reports its use, and a refusal its details", async (server, client) => {
  enqueue(
    server,
    "Messages",
    ScriptedResponse.sse(streams.webSearch({ query: "sea", results: [found], model })),
    ScriptedResponse.json(200, messagesReply.refusal({ category: "cyber", explanation: "no", model }))
  )
  const events = []
  const running = connect(client, server).messages.stream(request)
  running.on("streamEvent", (event) => events.push(event))
  await running.finalMessage()

  const { usage } = events.find(({ type }) => type === "message_delta")
  deepEqual(usage.server_tool_use, { web_search_requests: 1, web_fetch_requests: 0 })
  const refused = await connect(client, server).messages.create(request)
  deepEqual(refused.stop_details, { type: "refusal", category: "cyber", explanation: "no" })
  equal(refused.content.length, 0)
})
