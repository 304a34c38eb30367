import { FileFailure } from "../../domain/file-failure.ts"
import { type FilePaths, filePathsOf } from "../../domain/file-paths.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { AgentRequest, RequestAnswer } from "./agent-request.ts"
import { countMember, invalid, missing, result, textMember } from "./handler-answers.ts"
import type { RequestHandler } from "./session-behaviour.ts"

/** Where an agent may read and write. */
export interface FileRoom {
  readonly files: FilePort
  readonly platform: string
  /** Nothing outside of this folder is touched, by links neither. */
  readonly root: string
}

/**
 * Answers `fs/read_text_file` and `fs/write_text_file` for what is in one folder.
 *
 * **Source** agent-harness.md, section 2.5
 *
 * @since 0.1.0
 * @category sessions
 */
export const fileHandlers = (room: FileRoom): Readonly<Record<string, RequestHandler>> => ({
  "fs/read_text_file": (request) => inRoom(room, request, (path) => read(room, request, path)),
  "fs/write_text_file": (request) => inRoom(room, request, (path) => write(room, request, path))
})

/** What such handlers advertise. */
export const fileCapabilities = { fs: { readTextFile: true, writeTextFile: true } } as const

const inRoom = async (
  { files, platform, root }: FileRoom,
  { params }: AgentRequest,
  work: (path: string) => Promise<RequestAnswer>
): Promise<RequestAnswer> => {
  const rules = filePathsOf(platform)
  const path = textMember(params, "path")
  if (path === null) return invalid("path is no text")
  if (!rules.isAbsolute(path)) return invalid(`path is relative: ${path}`)
  try {
    const real = await realPlace(files, rules, path)
    const realRoot = (await files.realPath(root)) ?? root
    if (real === null || !rules.isWithin(realRoot, real)) return invalid(`path is outside of the workspace: ${path}`)
    return await work(real)
  } catch (error) {
    if (error instanceof FileFailure) return missing(`${path}: ${error.code}`)
    throw error
  }
}

/** Where a path leads; `null` for a link that leads nowhere, behind which a file could be made anywhere. */
const realPlace = async (files: FilePort, rules: FilePaths, path: string): Promise<string | null> => {
  const place = rules.join(path)
  const real = await files.realPath(place)
  if (real !== null) return real
  // What is not there yet will be where its folder is.
  const folder = await files.realPath(rules.folderOf(place))
  if (folder === null) return place
  const name = rules.nameOf(place)
  return (await files.list(folder)).includes(name) ? null : rules.join(folder, name)
}

const read = async ({ files }: FileRoom, { params }: AgentRequest, path: string): Promise<RequestAnswer> => {
  const line = countMember(params, "line", { least: 1, fallback: 1 })
  const limit = countMember(params, "limit", { least: 0, fallback: Number.POSITIVE_INFINITY })
  if (line === null) return invalid("line is no number from 1 on")
  if (limit === null) return invalid("limit is no number from 0 on")
  const lines = (await files.readText(path)).split(/(?<=\n)/)
  return result({ content: lines.slice(line - 1, line - 1 + limit).join("") })
}

const write = async ({ files }: FileRoom, { params }: AgentRequest, path: string): Promise<RequestAnswer> => {
  const content = textMember(params, "content")
  if (content === null) return invalid("content is no text")
  await files.writeText(path, content)
  return result(null)
}
