import { createInterface } from "node:readline"

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const askModel = async (content) => {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: JSON.stringify({ model: "tide-1", messages: [{ role: "user", content }] })
  })
  if (!response.ok) throw new Error(`the model answered ${response.status}`)
  return (await response.json()).choices[0].message.content
}

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": () => ({ sessionId: "session-1" }),
  "session/prompt": async ({ sessionId, prompt }) => {
    const text = await askModel(prompt.map((part) => part.text).join(""))
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }
    send({ method: "session/update", params: { sessionId, update } })
    return { stopReason: "end_turn" }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const fail = (code, error) => id !== undefined && send({ id, error: { code, message: String(error) } })
  if (!Object.hasOwn(methods, method)) fail(-32601, `there is no ${method}`)
  else
    await Promise.resolve(methods[method](params)).then(
      (result) => send({ id, result }),
      (error) => fail(-32603, error)
    )
}
