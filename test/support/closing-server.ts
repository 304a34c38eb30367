import { connect, type Socket } from "node:net"
import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse, SseEvent } from "../../src/index.ts"

// Prints what keeps this process alive before a server was started, and after it was closed in the middle of things.

/** What is active, without the process's own pipes and the files of its modules. */
const held = () =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => !/^(PipeWrap|TTYWrap|CloseReq|FSReqCallback|FSReqPromise)$/.test(kind))
    .sort()

const post = (path: string, body = "{}") =>
  `POST ${path} HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

const before = held()
const server = await MockInferenceServer.start({ profile: "compact" })
const { port } = new URL(server.origin())
const events = ScriptedResponse.sse([SseEvent.data("a"), SseEvent.data("b")])
server.expectResponseBlocked("turn", InferenceRequestMatcher.auxiliary("ChatCompletions"), events)
server.enqueueResponse("/v1/messages", { ...ScriptedResponse.sse([]), ending: "halfClose" })
server.enqueueResponse("/v1/messages", { ...ScriptedResponse.sse([]), ending: "rst" })
server.setHang(true)
server.setChunkDelay(3_600_000)

/** A client that has been served as far as it goes when its first bytes, if any are to come, are there. */
const client = (bytes: string, answers: boolean) =>
  new Promise<Socket>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(bytes)
      if (!answers) resolve(socket)
    })
    socket.on("error", () => {})
    socket.on("data", () => resolve(socket))
  })

const sockets = await Promise.all([
  client(post("/v1/chat/completions"), true),
  client(post("/v1/responses"), true),
  client(post("/v1/messages"), true),
  client("GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n", false),
  client("GET / HTTP/1.1\r\nhost: mock\r\n\r\n", true),
  client("GET / HT", false),
  client("", false)
])
// The last of all, so that its reset is still to come.
sockets.push(await client(post("/v1/messages"), true))
const ends = sockets.map(
  (socket) => new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once("close", resolve)))
)
const { blocked } = await server.close({ drainMs: 0 })
await Promise.all(ends)
process.stdout.write(`${JSON.stringify({ before, after: held(), blocked })}\n`)
