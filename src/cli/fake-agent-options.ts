import { headlessFormats } from "../harness/fake-agent/headless-run.ts"
import { grandchildren, idForms } from "../harness/fake-agent/script.ts"
import { bigLineBytesMin } from "../harness/fake-agent/turn-steps.ts"
import { lineBytesMax } from "../wire/acp/line-splitter.ts"
import { commonOptions } from "./command.ts"
import {
  anyText,
  crashAct,
  delayAct,
  errorAct,
  exitAct,
  extAsk,
  extNotification,
  extraLine,
  fileAsk,
  permissionAsk,
  ruleFor,
  ruleWith,
  signalName,
  terminalUse,
  updateOf,
  words
} from "./fake-agent-values.ts"
import { oneOf, secret, someText, wholeNumber } from "./option-readers.ts"
import type { OptionTable } from "./option-table.ts"

const someFile = someText("the path of a file")
const someMethod = someText("a method, as in session/prompt")

/** The options of `understudy fake-agent`. Source: agent-harness.md, appendix A. */
export const fakeAgentOptions = {
  "offer-auth": {
    kind: "value",
    placeholder: "IDS",
    help: "ways to authenticate, with commas (default fixture.api_key)",
    read: words
  },
  "require-auth": { kind: "flag", help: "refuse sessions until one was used" },
  "protocol-version": {
    kind: "value",
    placeholder: "N",
    help: "version that initialize answers (default 1)",
    read: wholeNumber({ least: 0, most: 65_535 })
  },
  echo: { kind: "flag", help: 'answer "Echo: " and the prompt (the default)' },
  "via-mock": { kind: "flag", help: "ask the model at --mock-url, over Chat Completions" },
  answer: { kind: "value", placeholder: "TEXT", help: "answer this text", read: anyText },
  "mock-url": {
    kind: "value",
    placeholder: "URL",
    help: "base URL of the model, as in http://127.0.0.1:4010/v1",
    read: someText("a URL, as in http://127.0.0.1:4010/v1")
  },
  "api-key": { kind: "value", placeholder: "KEY", help: "key for the model (default none)", read: secret },
  chunks: {
    kind: "value",
    placeholder: "N",
    help: "give an answer in N chunks",
    read: wholeNumber({ least: 1, most: 1_000_000 })
  },
  "one-write": { kind: "flag", help: "write all of a turn at once" },
  "chunk-bytes": {
    kind: "value",
    placeholder: "N",
    help: "write at most N bytes at once",
    read: wholeNumber({ least: 1, most: lineBytesMax })
  },
  "split-utf8": { kind: "flag", help: "write characters of several bytes in two pieces" },
  silent: { kind: "value", placeholder: "CALL", help: "never answer", read: ruleFor({ kind: "silent" }) },
  delay: {
    kind: "value",
    placeholder: "CALL=MS",
    help: "answer late",
    read: ruleWith(delayAct, "session/prompt=500")
  },
  error: {
    kind: "value",
    placeholder: "CALL=CODE:MESSAGE",
    help: "answer with an error",
    read: ruleWith(errorAct, "session/new=-32603:out of memory")
  },
  "exit-on": { kind: "value", placeholder: "CALL=CODE", help: "exit", read: ruleWith(exitAct, "session/prompt=3") },
  "crash-on": {
    kind: "value",
    placeholder: "CALL=SIGNAL",
    help: "end by a signal",
    read: ruleWith(crashAct, "session/prompt@2=SIGSEGV")
  },
  "crash-signal": {
    kind: "value",
    placeholder: "SIGNAL",
    help: "the same at the first prompt",
    read: signalName
  },
  "close-output-on": {
    kind: "value",
    placeholder: "CALL",
    help: "close stdout and go on",
    read: ruleFor({ kind: "close output" })
  },
  "id-as": {
    kind: "value",
    placeholder: idForms.join("|"),
    help: "form of the ids in responses",
    read: oneOf(idForms)
  },
  "duplicate-response": { kind: "flag", help: "write each response twice" },
  "broken-response": {
    kind: "value",
    placeholder: "both|neither",
    help: "of result and error in responses",
    read: oneOf(["both", "neither"])
  },
  pollute: {
    kind: "value",
    placeholder: "before=TEXT|after=TEXT",
    help: "a line before or behind each response",
    read: extraLine
  },
  "bad-json": { kind: "flag", help: "broken JSON before each response" },
  batch: { kind: "flag", help: "a batch before each response" },
  "responses-of": {
    kind: "value",
    placeholder: "METHOD",
    help: "alter the responses of this method alone",
    read: someMethod
  },
  "out-of-order": {
    kind: "value",
    placeholder: "METHOD",
    help: "hold each first response until a second one is out",
    read: someMethod
  },
  "no-jsonrpc": { kind: "flag", help: "leave out jsonrpc" },
  "unknown-update": { kind: "value", placeholder: "KIND", help: "in a turn: an update of this kind", read: updateOf },
  "ext-notify": {
    kind: "value",
    placeholder: "bare|prefixed|wrapped=METHOD",
    help: "in a turn: a notification outside ACP",
    read: extNotification
  },
  "ask-permission": {
    kind: "value",
    placeholder: "KINDS",
    help: "in a turn: ask for permission, options of these kinds",
    read: permissionAsk
  },
  "ask-fs": { kind: "value", placeholder: "PATH", help: "in a turn: ask for a file", read: fileAsk },
  "ask-terminal": {
    kind: "value",
    placeholder: "COMMAND",
    help: "in a turn: have a command run",
    read: terminalUse
  },
  "ask-ext": { kind: "value", placeholder: "METHOD", help: "in a turn: ask outside ACP", read: extAsk },
  "big-line": {
    kind: "value",
    placeholder: "BYTES",
    help: "in a turn: a line of this length, LF included",
    read: wholeNumber({ least: bigLineBytesMin, most: 2 * lineBytesMax })
  },
  stderr: { kind: "value", placeholder: "TEXT", help: "a line on stderr at the start", read: anyText },
  "ignore-term": { kind: "flag", help: "do not end by SIGTERM" },
  "ignore-eof": { kind: "flag", help: "do not end with the input" },
  grandchild: {
    kind: "value",
    placeholder: grandchildren.join("|"),
    help: "start a process that stays for ten minutes",
    read: oneOf(grandchildren)
  },
  "print-env": { kind: "flag", help: "print the environment as JSON and exit" },
  "log-input": { kind: "value", placeholder: "FILE", help: "append what is read, as it is", read: someFile },
  persist: { kind: "flag", help: "keep sessions in --home, so that session/load finds them" },
  home: { kind: "value", placeholder: "FOLDER", help: "where state is kept", read: someText("the path of a folder") },
  prompt: { kind: "value", placeholder: "TEXT", help: "answer this one and exit; also -p TEXT", read: anyText },
  "output-format": {
    kind: "value",
    placeholder: headlessFormats.join("|"),
    help: "what --prompt prints (default text)",
    read: oneOf(headlessFormats)
  },
  script: { kind: "value", placeholder: "FILE", help: "all of this as JSON; options come on top", read: someFile },
  record: { kind: "value", placeholder: "FILE", help: "write the session down, for --replay", read: someFile },
  replay: {
    kind: "value",
    placeholder: "FILE",
    help: "be the agent of a recorded session, and nothing else",
    read: someFile
  },
  ...commonOptions
} as const satisfies OptionTable
