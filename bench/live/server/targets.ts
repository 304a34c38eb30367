import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Sizes } from "../../shared/row.ts"
import { answerTexts, chunkChars, type ExchangeKind } from "./exchanges.ts"

/** A server that is measured: how it is started at a port, so that it answers such exchanges. */
export interface Target {
  readonly name: string
  /** What it answers. */
  readonly kinds: ReadonlyArray<ExchangeKind>
  /** The arguments of Node. */
  args(kind: ExchangeKind, port: number): ReadonlyArray<string>
  readonly env?: (port: number) => Readonly<Record<string, string>>
}

const both = ["completion", "stream"] as const

/** The bundles lie beside each other; our command is built beside them. */
const beside = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url))

const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"))

const written = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}

export const bare: Target = {
  name: "bare node:http",
  kinds: both,
  args: (_, port) => [beside("bare-program.js"), `${port}`]
}

export const ours: Target = {
  name: "ours",
  kinds: both,
  args: (kind, port) => [
    beside("command/dist/cli.js"),
    "serve",
    "--port",
    `${port}`,
    "--scenario",
    written(`ours-${kind}.json`, { mode: { text: answerTexts[kind] } })
  ]
}

/** Where peers are installed, or are not. */
const peersFolder = join(process.env["UNDERSTUDY_BENCH_ROOT"] ?? process.cwd(), "bench/peers")

/** The folder of an installed package; `null` where it is not there. */
export const installedPeer = (name: string): string | null => {
  const path = join(peersFolder, "node_modules", name)
  return existsSync(path) ? path : null
}

/** The file of a command of a package. */
const binOf = (name: string, command: string): string => {
  const manifest = join(peersFolder, "node_modules", name, "package.json")
  const { bin }: { readonly bin: Readonly<Record<string, string>> } = createRequire(manifest)(manifest)
  return join(dirname(manifest), bin[command] ?? "")
}

const mockLlmRules = `streaming:
  chunkSize: ${chunkChars}
  chunkIntervalMs: 0
rules:
  - path: "/v1/chat/completions"
    method: "POST"
    match: "@"
    response:
      status: 200
      content: |
        {"id":"chatcmpl-mock","object":"chat.completion","model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant","content":"TEXT"},"finish_reason":"stop"}]}
`

/** Peers by the name of their package. */
const known: ReadonlyArray<Target & { readonly name: string }> = [
  {
    name: "@copilotkit/aimock",
    kinds: both,
    args: (kind, port) => [
      binOf("@copilotkit/aimock", "llmock"),
      ...["--port", `${port}`, "--log-level", "silent", "--chunk-size", `${chunkChars}`],
      "--fixtures",
      written(`aimock-${kind}.json`, {
        fixtures: [{ match: { userMessage: "hello" }, response: { content: answerTexts[kind] } }]
      })
    ]
  },
  {
    name: "@deepseek-ai/dsh-llm-mock-server",
    // It streams whatever is asked.
    kinds: ["stream"],
    args: (kind, port) => [join(peersFolder, "dsh-program.mjs"), `${port}`, answerTexts[kind], `${chunkChars}`]
  },
  {
    name: "@dwmkerr/mock-llm",
    kinds: both,
    args: (kind) => [
      binOf("@dwmkerr/mock-llm", "mock-llm"),
      "--config",
      written(`mock-llm-${kind}.yaml`, mockLlmRules.replace("TEXT", answerTexts[kind]))
    ],
    env: (port) => ({ PORT: `${port}` })
  }
]

/** The peers that are installed, unless ours alone is wanted. */
export const peersFor = ({ own }: Pick<Sizes, "own">): ReadonlyArray<Target> =>
  own["ours"] === undefined ? known.filter(({ name }) => installedPeer(name) !== null) : []

/** Those that are not, by name. */
export const missingPeers: ReadonlyArray<string> = known
  .map(({ name }) => name)
  .filter((name) => installedPeer(name) === null)
