import { Agent, type IncomingMessage, request } from "node:http"
import { answerQuestions } from "../shared/child.ts"
import { type Deed, deeds, numbersFrom, paths, shortFaults } from "./traffic.ts"

/* Clients of a soak: each does one thing after the other, and looks at what comes of it. */

export type ClientsQuestion =
  | { readonly start: true; readonly port: number; readonly clients: number; readonly seed: number }
  | { readonly sample: true }
  | { readonly end: true }

export interface ClientsAnswer {
  readonly done: Readonly<Record<string, number>>
  readonly problems: ReadonlyArray<string>
}

/** A client that hears nothing for so long has found a defect. */
const quietMsMax = 30_000

const done: Record<string, number> = {}
const problems = new Set<string>()
const running: Array<Promise<void>> = []
let isOver = false

interface Asked {
  readonly path: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves behind the first bytes. */
  readonly leaves?: boolean
}

interface Came {
  readonly status: number | null
  readonly text: string
  /** Why it is not whole; `null` where it is. */
  readonly problem: string | null
}

const ask = (agent: Agent, port: number, { path, body, headers, leaves = false }: Asked): Promise<Came> =>
  new Promise((resolve) => {
    const bytes = JSON.stringify(body)
    let text = ""
    let status: number | null = null
    const over = (problem: string | null): void => resolve({ status, text, problem })
    const asking = request(
      {
        agent,
        port,
        path,
        host: "127.0.0.1",
        method: "POST",
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(bytes), ...headers }
      },
      (response: IncomingMessage) => {
        status = response.statusCode ?? null
        response.setEncoding("utf8")
        response.on("data", (piece: string) => {
          text += piece
          if (leaves) response.destroy()
        })
        response.once("end", () => over(null))
        response.once("error", (error) => over(error.message))
        response.once("close", () => over("it was closed"))
      }
    )
    asking.setTimeout(quietMsMax, () => {
      over("nothing came any more")
      asking.destroy()
    })
    asking.once("error", (error) => over(error.message))
    asking.end(bytes)
  })

const said = (content: string) => [{ role: "user", content }]
const tools = ["look", "listen"].map((name) => ({ type: "function", function: { name, parameters: {} } }))
const asked = (body: object) => ({ model: "tide-1", messages: said("hello"), ...body })

const requestOf = (deed: Deed, number: number): Asked => {
  switch (deed) {
    case "completion":
      return { path: paths.chat, body: asked({}) }
    case "stream":
      return { path: paths.chat, body: asked({ stream: true }) }
    case "scripted":
      return { path: paths.messages, body: asked({ stream: true, max_tokens: 100 }) }
    case "double":
      return {
        path: paths.messages,
        body: asked({ stream: true, max_tokens: 100 }),
        headers: { "x-grok-req-id": `double-${number}` }
      }
    case "agent":
      return { path: paths.chat, body: asked({ stream: true, tools }) }
    case "queued":
      return { path: paths.responses, body: { model: "tide-1", input: "hello", stream: true } }
    case "fault":
      return {
        path: paths.chat,
        body: asked({ stream: true }),
        headers: { "x-understudy-fault": shortFaults[Math.floor(number * shortFaults.length)] ?? "success" }
      }
    case "abort":
      return {
        path: number < 0.5 ? paths.messages : paths.chat,
        body: asked({ stream: true, max_tokens: 100 }),
        leaves: true
      }
    case "long":
      return { path: paths.chat, body: asked({ messages: said("long ".repeat(50_000)) }) }
  }
}

/** What must have come of it; `null` when it has. */
const problemOf = (deed: Deed, { status, text, problem }: Came): string | null => {
  if (problem === "nothing came any more") return problem
  if (deed === "abort" || deed === "fault") return null
  if (problem !== null || status !== 200) return `status ${status}, ${problem ?? text.slice(0, 200)}`
  const isWhole = endings[deed].test(text)
  return isWhole ? null : `it ends with ${JSON.stringify(text.slice(-100))}`
}

const endings: Readonly<Record<Exclude<Deed, "abort" | "fault">, RegExp>> = {
  completion: /"content":"(?:One|Two)\."/,
  long: /"content":"(?:One|Two)\."/,
  stream: /data: \[DONE\]\n\n$/,
  agent: /data: \[DONE\]\n\n$/,
  double: /event: message_stop\n.*\n\n$/,
  scripted: /event: message_stop\n.*\n\n$/,
  queued: /event: response\.completed\n.*\n\n$/
}

const total = Object.values(deeds).reduce((sum, share) => sum + share, 0)

const chosen = (number: number): Deed => {
  let left = number * total
  for (const [deed, share] of Object.entries(deeds)) {
    left -= share
    if (left < 0 && isDeed(deed)) return deed
  }
  return "completion"
}

const isDeed = (name: string): name is Deed => Object.hasOwn(deeds, name)

const live = async (port: number, numbers: () => number): Promise<void> => {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!isOver) {
    const deed = chosen(numbers())
    const asking = requestOf(deed, numbers())
    const agents = deed === "double" ? [agent, new Agent()] : [agent]
    for (const came of await Promise.all(agents.map((one) => ask(one, port, asking)))) {
      done[deed] = (done[deed] ?? 0) + 1
      const problem = problemOf(deed, came)
      if (problem !== null && problems.size < 20) problems.add(`${deed}: ${problem}`)
    }
    // A new connection now and then.
    if (numbers() > 0.1) continue
    agent.destroy()
    agent = new Agent({ keepAlive: true, maxSockets: 1 })
  }
  agent.destroy()
}

answerQuestions<ClientsQuestion, ClientsAnswer>(async (question) => {
  if ("start" in question)
    for (let client = 1; client <= question.clients; client++)
      running.push(live(question.port, numbersFrom(question.seed + client)))
  else if ("end" in question) {
    isOver = true
    await Promise.all(running)
  }
  return { done: { ...done }, problems: [...problems] }
})
