import type { Incoming } from "../../../machines/stdio-wire.machine.ts"
import { customCall } from "../../wire/acp/custom-method.ts"
import { type LineContent, lineContent } from "../../wire/acp/line-content.ts"
import { cancelledId } from "../../wire/acp/request-id.ts"
import { sessionUpdate } from "../../wire/acp/session-update.ts"
import type { HandlerAnswer, OpenRequest } from "./agent-request.ts"
import type { SessionCore } from "./session-core.ts"

const invalidRequest = -32_600
const methodNotFound = -32_601

/**
 * Takes one line of the agent: what it tells is captured before anything else is done about it, so that whoever is woken by a
 * later line finds it.
 *
 * **Source** agent-harness.md, sections 2.2, 2.6 and 2.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const takeLine = (core: SessionCore, line: Incoming, seq: number): void => {
  const { records, captures } = core
  const content = lineContent(line.text)
  const violate = (rule: string, detail = ""): void => records.violate({ rule, detail, line: line.text, seq })
  captures.passed(seq)
  if (content.kind === "blank") records.blank()
  else if (content.kind === "pollution") records.pollute({ text: line.text, reason: content.reason, seq })
  else {
    if (!line.isUtf8) violate("lines are UTF-8")
    if (content.kind === "batch") violate("one message a line", "a batch")
    else takeMessage({ core, line, seq, violate }, content)
  }
}

interface Intake {
  readonly core: SessionCore
  readonly line: Incoming
  readonly seq: number
  readonly violate: (rule: string, detail?: string) => void
}

type Message = Exclude<LineContent, { readonly kind: "blank" | "pollution" | "batch" }>

const takeMessage = (intake: Intake, content: Message): void => {
  for (const fault of content.faults) intake.violate("messages are JSON-RPC 2.0", fault)
  if (content.kind === "stray") intake.violate("a message has a method or an id")
  else if (content.kind === "response") takeResponse(intake, content)
  else if (content.kind === "request") takeRequest(intake, content)
  else takeNotification(intake, content.method, content.params)
}

type Response = Extract<LineContent, { readonly kind: "response" }>

const takeResponse = ({ core, line, violate }: Intake, { id, outcome }: Response): void => {
  const fate = core.calls.respond({ id, outcome, line: line.text })
  if (fate === "orphan") violate("orphan response", `the id ${JSON.stringify(id)} is none of ours`)
  if (fate === "duplicate") violate("duplicate response", `request ${JSON.stringify(id)} is answered already`)
  if (fate === "taken" && outcome.kind === "broken") violate("a response has one of result and error", outcome.reason)
}

type Request = Extract<LineContent, { readonly kind: "request" }>

const takeRequest = ({ core, violate }: Intake, { idToken, method, params }: Request): void => {
  const asked = { idToken, method: method ?? "", params }
  const handler =
    method === null
      ? () => refusal({ code: invalidRequest, message: "the method is no string", data: undefined })
      : handlerOf(core, method)
  if (core.requests.open(asked, handler).isRepeated) violate("ids of open requests differ", idToken)
}

const refusal = (error: {
  readonly code: number
  readonly message: string
  readonly data: unknown
}): HandlerAnswer => ({
  kind: "refusal",
  error
})

const handlerOf = (core: SessionCore, method: string): ((open: OpenRequest) => HandlerAnswer) => {
  if (method === "session/request_permission") return core.desk.handle
  const own = core.handlers.get(method)
  if (own !== undefined) return ({ request }) => own(request)
  return ({ request }) => {
    const custom = customCall(method, request.params)
    const handler = core.handlers.get(custom.method)
    if (handler !== undefined && isCustom(method)) return handler({ ...request, ...custom })
    return refusal({ code: methodNotFound, message: `method not found: ${method}`, data: { method } })
  }
}

const isCustom = (method: string): boolean => method.startsWith("_")

const takeNotification = (intake: Intake, method: string, params: unknown): void => {
  const { core, line, seq } = intake
  if (method === "session/update") takeUpdate(intake, params)
  else if (method === "$/cancel_request") {
    const idToken = cancelledId(line.text)
    if (idToken !== null) core.requests.cancel(idToken)
  } else core.captures.ext({ ...customCall(method, params), seq })
}

const takeUpdate = ({ core, seq, violate }: Intake, params: unknown): void => {
  const update = { ...sessionUpdate(params), seq }
  core.captures.update(update)
  for (const fault of update.faults) violate("updates follow the schema", fault)
  core.updates.offer(update)
}
