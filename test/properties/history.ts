import type { Command, History, RequestSpec, Step } from "../../properties/model/command.ts"

/** A foreground chat request with id `a`, changed as told. */
export const request = (changes: Partial<RequestSpec> = {}): Command => ({
  type: "request",
  request: {
    endpoint: "ChatCompletions",
    headers: "both",
    id: "a",
    body: "plain",
    tools: 0,
    streams: true,
    spelling: 0,
    key: "none",
    windowBytes: null,
    ...changes
  }
})

/** An expectation of foreground chat requests, answered by a stream. */
export const expectation = (
  name: string,
  changes: Partial<Extract<Command, { type: "register" }>> = {}
): Extract<Command, { type: "register" }> => ({
  type: "register",
  name,
  matcher: { endpoint: "ChatCompletions", kind: "foreground" },
  script: { kind: "sse", events: 2 },
  barriers: [],
  ...changes
})

/** Commands of a test, each when everything before it is done, or as told. */
export const history = (...steps: ReadonlyArray<Command | Step>): History => ({
  setup: { profile: "compact", requiresKey: false, logEntriesMax: 1024 },
  steps: steps.map((step) => ("command" in step ? step : { after: 0, command: step })),
  choices: null
})
