import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { isRecord } from "../../src/domain/json.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { type McpSdk, mcpReconnect } from "./mcp-reconnect.ts"

/** Where `run.mjs` has installed the packages that are no dependencies of this one. */
export const packagesVariable = "UNDERSTUDY_CORPUS_PACKAGES"

/** The bugs whose packages are installed on demand; none without them. */
export const installedBugs = async (): Promise<ReadonlyArray<CorpusBug>> => {
  const folder = process.env[packagesVariable]
  if (folder === undefined || folder === "") return []
  return [mcpReconnect({ buggy: await mcpOf(folder, "mcp-1-23"), fixed: await mcpOf(folder, "mcp-1-32") })]
}

const mcpOf = async (folder: string, name: string): Promise<McpSdk> => {
  const load = async (path: string): Promise<unknown> =>
    import(pathToFileURL(join(folder, "node_modules", name, "dist/esm", path)).href)
  const all = { ...asObject(await load("client/index.js")), ...asObject(await load("client/streamableHttp.js")) }
  if (isMcpSdk(all)) return all
  throw new Error(`${name} in ${folder} is no SDK of MCP`)
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const isMcpSdk = (value: object): value is McpSdk => "Client" in value && "StreamableHTTPClientTransport" in value
