import { delayMsMax } from "../domain/durations.ts"
import { commonOptions } from "./command.ts"
import { fakeAgentOptions } from "./fake-agent-options.ts"
import { anyText, words } from "./fake-agent-values.ts"
import { someText, wholeNumber } from "./option-readers.ts"
import type { OptionReading, OptionTable } from "./option-table.ts"

/** `MS=CODE` */
const exitAfter = (text: string): OptionReading<{ readonly ms: number; readonly code: number }> => {
  const [, ms = "", code = ""] = /^(\d{1,10})=(\d{1,3})$/.exec(text) ?? []
  return ms !== "" && Number(ms) <= delayMsMax && Number(code) <= 255
    ? { value: { ms: Number(ms), code: Number(code) } }
    : { problem: `is ${JSON.stringify(text)}; give milliseconds, = and an exit code, as in 300=4` }
}

/** The options of a leader that are its own. Source: agent-harness.md, appendix A. */
export const ownLeaderOptions = {
  home: fakeAgentOptions.home,
  "leader-socket": {
    kind: "value",
    placeholder: "PATH",
    help: "the socket (default leader.sock in the home)",
    read: someText("the path of a socket")
  },
  "binary-version": {
    kind: "value",
    placeholder: "V",
    help: "the version that its program is said to have (default its own)",
    read: anyText
  },
  protocol: {
    kind: "value",
    placeholder: "N",
    help: "the version of the protocol that it says it speaks (default 1)",
    read: wholeNumber({ least: 0, most: 65_535 })
  },
  caps: {
    kind: "value",
    placeholder: "LIST",
    help: "what it says it can do, with commas (default control_v1,relaunch_v1)",
    read: words
  },
  "ready-after": {
    kind: "value",
    placeholder: "MS",
    help: "answer requests with -32002 leader_starting until then",
    read: wholeNumber({ least: 0, most: delayMsMax })
  },
  "no-socket": { kind: "flag", help: "hold the lock, and never listen" },
  "exit-after": { kind: "value", placeholder: "MS=CODE", help: "exit by itself", read: exitAfter },
  "ignore-term": fakeAgentOptions["ignore-term"],
  ...commonOptions
} as const satisfies OptionTable

/** The options of a client that are its own. */
export const ownLeaderClientOptions = {
  home: ownLeaderOptions.home,
  "leader-socket": ownLeaderOptions["leader-socket"],
  "binary-version": ownLeaderOptions["binary-version"],
  "reconnect-delay": {
    kind: "value",
    placeholder: "MS",
    help: "wait before the first try to find a leader again; it doubles (default 1000)",
    read: wholeNumber({ least: 0, most: delayMsMax })
  },
  ...commonOptions
} as const satisfies OptionTable

/** What is about an agent with a client and a process of its own. */
const aloneOnly = new Set([
  "prompt",
  "output-format",
  "print-env",
  "replay",
  "record",
  "log-input",
  "ignore-eof",
  "persist"
])

/** The options of `understudy fake-agent leader`: its own, and those of the agent behind it. */
export const fakeLeaderOptions: OptionTable = {
  ...ownLeaderOptions,
  ...Object.fromEntries(Object.entries(fakeAgentOptions).filter(([name]) => !aloneOnly.has(name)))
}

/** The options of `understudy fake-agent leader-client`: its own, and those of the leaders that it starts. */
export const fakeLeaderClientOptions: OptionTable = { ...fakeLeaderOptions, ...ownLeaderClientOptions }
