import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

const [command, ...args] = process.argv.slice(2)
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
const waiting = new Map()

const ask = (method, params, patienceMs = 60_000) =>
  new Promise((resolve, reject) => {
    const id = waiting.size + 1
    const late = setTimeout(() => reject(new Error(`${method} is late`)), patienceMs)
    const settled = (settle) => (value) => {
      clearTimeout(late)
      settle(value)
    }
    waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
  })

const messageIn = (line) => {
  try {
    return JSON.parse(line)
  } catch {
    return {} // npm and others print to stdout too
  }
}

let heard = ""
const output = createInterface({ input: agent.stdout }).on("line", (line) => {
  const { id, method, params, result, error } = messageIn(line)
  if (method === "session/update") heard += params.update.content?.text ?? ""
  else if (error) waiting.get(id)?.reject(new Error(error.message))
  else waiting.get(id)?.resolve(result)
})
output.on("close", () => {
  for (const { reject } of waiting.values()) reject(new Error("the agent is gone"))
})
agent.stdin.on("error", () => {}) // the end of its output says it

try {
  await ask("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await ask("session/new", { cwd: process.cwd(), mcpServers: [] })
  for (const text of ["one", "two"]) {
    heard = ""
    await ask(
      "session/prompt",
      { sessionId, prompt: [{ type: "text", text }] },
      Number(process.env.PATIENCE_MS ?? 60_000)
    )
    console.log(heard)
  }
} catch (error) {
  console.log(`failed: ${error.message}`)
}
agent.stdin.end()
