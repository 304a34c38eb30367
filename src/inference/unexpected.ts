import { clip } from "../domain/clip.ts"
import { inferenceEndpoints, type WireProfile } from "../domain/endpoint.ts"
import type { RequestHead } from "../domain/request.ts"
import { withoutSecrets } from "../domain/secret-header.ts"
import { findRoute, splitTarget } from "./routes.ts"
import type { ServerState } from "./server-state.ts"

/** So many unexpected requests are kept for `verify()`, the newest. */
const unexpectedMax = 1_024

/** A path is cut at so many characters. */
const pathLengthMax = 256

/** Remembers what a strict server did not expect, in words. */
export const noteUnexpected = ({ unexpected }: Pick<ServerState, "unexpected">, words: string): void => {
  if (unexpected.push(`unexpected ${words}`) > unexpectedMax) unexpected.shift()
}

/**
 * Remembers a request that was refused before anything could decide on it, where the server is strict and it was meant for a
 * model: on an inference route, on a path below one, or on an unknown path and no mere reading.
 *
 * @since 0.1.0
 * @category errors
 */
export const noteRefused = (
  state: Pick<ServerState, "unexpected" | "isStrict" | "profile">,
  head: RequestHead,
  status: number
): void => {
  const { path } = splitTarget(head.target)
  if (!state.isStrict || !isForModel({ method: head.method, path, status }, state.profile)) return
  const shown = clip(withoutSecrets(path, head.headers), pathLengthMax)
  noteUnexpected(state, `${head.method} ${shown}: it was refused with ${status}`)
}

const isForModel = (
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
  profile: WireProfile
): boolean => {
  // Clients offer another protocol first, and ask again by this one.
  if (status === upgradeRequired) return false
  const name = findRoute(path, profile)?.row.name
  if (name !== undefined) return inferenceNames.includes(name)
  return belowInference.test(path) || !readingMethods.includes(method)
}

const upgradeRequired = 426
const inferenceNames: ReadonlyArray<string> = inferenceEndpoints
const belowInference = /^(?:\/v1)?\/(?:chat\/completions|responses|messages)\//
const readingMethods: ReadonlyArray<string> = ["GET", "HEAD", "OPTIONS"]
