// @ts-check
import { startMockLlmServer } from "@deepseek-ai/dsh-llm-mock-server"

/* A peer that is a library alone, as a process. */

const [port, successText, chunkSize] = process.argv.slice(2)
await startMockLlmServer({
  port: Number(port),
  sequence: ["success"],
  repeatLast: true,
  successText: String(successText),
  chunkSize: Number(chunkSize)
})
