import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { MockInferenceServer } from "llm-understudy"
import { writeName } from "./report.mjs"

/** A check that takes this long hangs. */
const guardMs = 30_000

const folders = JSON.parse(process.env["UNDERSTUDY_CONFORMANCE"] ?? "{}")

/** Where a set of clients is installed: `sdks`, `versions`, `agents`; `undefined` for what was not asked for. */
export const folderOf = (set) => folders[set]

/** Imports a package from a set of clients. */
export const load = async (name, set = "sdks") => {
  const loader = await import(pathToFileURL(`${folderOf(set)}/load.mjs`).href)
  return loader.load(name)
}

/**
 * The clients of a family whose packages are installed, each with its package as `sdk`.
 *
 * **Takes** for each client `name`, `set`, `package` and whatever the checks want to know of it
 */
export const clientsOf = (family, clients) =>
  Promise.all(
    clients
      .filter((client) => folderOf(client.set) !== undefined)
      .map(async (client) => ({ family, ...client, sdk: await load(client.package, client.set) }))
  )

/**
 * One row of a family's table. `body` gets a server of its own, in profile full, and the client; what it gives back is
 * not looked at. `without` says which clients do not have what the check is about, `ms` when a check counts as hanging.
 */
export const checkEach = (clients, title, body, { without = () => false, ms = guardMs } = {}) => {
  for (const client of clients) {
    if (!without(client)) test(nameOf(client, title), { timeout: ms }, () => withServer(client, body))
  }
}

const nameOf = ({ family, name }, check) => writeName({ family, client: name, check })

const withServer = async (client, body) => {
  const server = await MockInferenceServer.start()
  try {
    await body(server, client)
  } finally {
    await server.close({ drainMs: 0 })
  }
}
