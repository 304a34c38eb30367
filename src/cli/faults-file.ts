import { closeSync, openSync, readSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import { InvalidOption } from "../domain/errors.ts"
import { isInherited, specialFile } from "./special-file.ts"
import { readDocument } from "./yaml-document.ts"

/** A larger JSON file is refused: it is read, kept and checked whole. */
export const faultsFileBytesMax = 4 * 1024 * 1024

/** A longer line is no record. */
export const recordLengthMax = 1024 * 1024

/**
 * A file as one JSON value.
 *
 * **Fails** with `InvalidOption`, naming file, line and column
 *
 * @since 0.1.0
 * @category encoding
 */
export const readJsonFile = (file: string): unknown => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for (const chunk of chunksOf(file)) {
    bytes += chunk.length
    if (bytes > faultsFileBytesMax) throw new InvalidOption(`${file} is larger than ${faultsFileBytesMax} bytes`)
    chunks.push(chunk)
  }
  const { value, problems } = readDocument(decode(file, Buffer.concat(chunks)), "json")
  const [problem] = problems
  if (problem === undefined) return value
  throw new InvalidOption(`${file}:${problem.line}:${problem.column} ${problem.message}`)
}

const decode = (file: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new InvalidOption(`${file} is not valid UTF-8; save it as UTF-8`)
  }
}

/**
 * The lines of a file, read piece by piece: it may be larger than memory.
 *
 * **Fails** with `InvalidOption` when it cannot be read, or a line is too long to be a record
 *
 * @since 0.1.0
 * @category encoding
 */
export function* linesOfFile(file: string): Generator<string> {
  const decoder = new StringDecoder("utf8")
  let rest = ""
  for (const chunk of chunksOf(file)) {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > recordLengthMax)
      throw new InvalidOption(`${file} has a line of more than ${recordLengthMax} bytes`)
    yield* lines
  }
  rest += decoder.end()
  if (rest !== "") yield rest
}

/** A pipe that this process was not started with is refused: if nobody writes to it, to open it blocks everything. */
function* chunksOf(file: string): Generator<Uint8Array> {
  const special = specialFile(file)
  if (special !== undefined && !(special === "a pipe" && isInherited(file))) {
    throw new InvalidOption(`cannot read ${JSON.stringify(file)}: it is ${special}; give a file`)
  }
  const handle = open(file)
  try {
    while (true) {
      const chunk = Buffer.alloc(64 * 1024)
      const count = read(file, handle, chunk)
      if (count === 0) return
      yield chunk.subarray(0, count)
    }
  } finally {
    closeSync(handle)
  }
}

const open = (file: string): number => orTold(file, () => openSync(file, "r"))

const read = (file: string, handle: number, into: Buffer): number => orTold(file, () => readSync(handle, into))

const orTold = <A>(file: string, act: () => A): A => {
  try {
    return act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidOption(`cannot read ${JSON.stringify(file)}: ${reason}`)
  }
}
