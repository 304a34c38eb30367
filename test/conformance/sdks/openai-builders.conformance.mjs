import { deepEqual, equal } from "node:assert/strict"
import { ScriptedResponse } from "llm-understudy"
import { responses, responsesReply } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { enqueue } from "../scripts.mjs"
import { connect, openaiClients } from "./openai-clients.mjs"

const model = "test-model"
const input = "hi"
const depth = { callId: "call_kelp", name: "depth", arguments: '{"m": 40}' }
const width = { callId: "call_reef", name: "width", arguments: '{"m":7, "unit":"ft"}' }

const citation = { startIndex: 0, endIndex: 3, url: "https://example.test/", title: "Sea" }
const builders = {
  text: { input: { text: "Sea is calm" }, types: ["message"], text: "Sea is calm" },
  "empty text": { builder: "text", input: { text: "" }, types: ["message"] },
  "reasoning only": { builder: "reasoning", input: { reasoning: "let me see" }, types: ["reasoning"] },
  "reasoning and text": {
    builder: "reasoningText",
    input: { reasoning: "let me see", text: "yes it is" },
    types: ["reasoning", "message"],
    text: "yes it is"
  },
  "raw reasoning": { builder: "rawReasoning", input: { reasoning: "let me see" }, types: ["reasoning"] },
  "encrypted reasoning": {
    builder: "encryptedReasoning",
    input: { encryptedContent: "c2VhbGVk" },
    types: ["reasoning"],
    verify: ([item]) => equal(item.encrypted_content, "c2VhbGVk")
  },
  "several summaries": {
    builder: "summaries",
    input: { summaries: ["first part", "second part"] },
    types: ["reasoning"],
    verify: ([item]) =>
      deepEqual(
        item.summary.map(({ text }) => text),
        ["first part", "second part"]
      )
  },
  call: { input: depth, types: ["function_call"], calls: [depth] },
  "parallel calls": {
    builder: "calls",
    input: { calls: [depth, width] },
    types: ["function_call", "function_call"],
    calls: [depth, width]
  },
  "interleaved calls": {
    builder: "calls",
    input: { calls: [depth, width], order: "interleaved" },
    types: ["function_call", "function_call"],
    calls: [depth, width]
  },
  "a custom call": {
    builder: "customCall",
    input: { ...depth, arguments: "any text" },
    types: ["custom_tool_call"],
    verify: ([item]) => deepEqual([item.call_id, item.name, item.input], ["call_kelp", "depth", "any text"])
  },
  "text then call": {
    builder: "textCalls",
    input: { text: "I look", calls: [depth] },
    types: ["message", "function_call"],
    text: "I look",
    calls: [depth]
  },
  "think then call": {
    builder: "thinkThenCall",
    input: { reasoning: "hm hm", ...depth },
    types: ["reasoning", "function_call"],
    calls: [depth]
  },
  refusal: {
    input: { text: "I will not" },
    types: ["message"],
    verify: ([item]) => equal(item.content[0].refusal, "I will not")
  },
  "incomplete text": {
    builder: "incomplete",
    input: { text: "Sea is" },
    types: ["message"],
    text: "Sea is",
    status: "incomplete"
  },
  "a failed response": { builder: "failed", input: { message: "M" }, types: [], status: "failed" },
  "a web search with a citation": {
    builder: "webSearch",
    input: { query: "sea", text: "Sea is calm", citations: [citation] },
    types: ["web_search_call", "message"],
    text: "Sea is calm",
    verify: ([, item]) => equal(item.content[0].annotations[0].url, "https://example.test/")
  },
  "a file search": {
    builder: "fileSearch",
    input: { queries: ["sea"], results: [], text: "none" },
    types: ["file_search_call", "message"],
    text: "none"
  },
  "a code interpreter": {
    builder: "codeInterpreter",
    input: { code: "print(1)", logs: "1", text: "one" },
    types: ["code_interpreter_call", "message"],
    text: "one",
    verify: ([item]) => equal(item.code, "print(1)")
  },
  "an image": {
    builder: "imageGeneration",
    input: { result: "aW1n", partialImages: ["aQ=="] },
    types: ["image_generation_call"],
    verify: ([item]) => equal(item.result, "aW1n")
  },
  "an MCP call": {
    builder: "mcp",
    input: { serverLabel: "reef", name: "depth", arguments: "{}", output: "40", text: "It is 40" },
    types: ["mcp_list_tools", "mcp_call", "message"],
    text: "It is 40",
    verify: ([, item]) => equal(item.output, "40")
  }
}

for (const [name, row] of Object.entries(builders)) {
  const { builder = name, types, text = "", calls = [], status = "completed", verify = () => {} } = row
  const verifyAll = (response) => {
    equal(response.status, status)
    deepEqual(
      response.output.map(({ type }) => type),
      types
    )
    equal(textOf(response), text)
    deepEqual(response.output.filter(({ type }) => type === "function_call").map(callOf), calls)
    verify(response.output)
    if (status === "failed") equal(response.error.code, "server_error")
  }
  // The helper of version 4 knows no terminal event but `response.completed`.
  const without = (client) => client.major === 4 && status !== "completed"
  const { [builder]: events } = responses
  const { [builder]: reply } = responsesReply
  checkEach(
    openaiClients,
    `responses: the helper reads ${name}`,
    async (server, client) => {
      enqueue(server, "Responses", ScriptedResponse.sse(events({ ...row.input, model })))

      verifyAll(await connect(client, server).responses.stream({ model, input }).finalResponse())
    },
    { without }
  )
  checkEach(openaiClients, `responses: the JSON reply has ${name}`, async (server, client) => {
    enqueue(server, "Responses", ScriptedResponse.json(200, reply({ ...row.input, model })))

    verifyAll(await connect(client, server).responses.create({ model, input }))
  })
}

const callOf = (item) => ({ callId: item.call_id, name: item.name, arguments: item.arguments })

// Version 4 has `output_text` on JSON replies only.
const textOf = (response) =>
  response.output
    .flatMap(({ content = [] }) => content)
    .map(({ type, text }) => (type === "output_text" ? text : ""))
    .join("")
