import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  realpathSync,
  rmSync,
  writeSync
} from "node:fs"
import { writeBytes } from "../proxy/plan/write-bytes.ts"
import type { ProxyRecording, RecordedFrame } from "../proxy/proxy-recording.ts"
import { RunFailed } from "./command-io.ts"
import { specialFile } from "./special-file.ts"
import { unwritableText } from "./unwritable.ts"

/** A file for what a proxy has recorded. */
export interface RecordFile {
  /** Empties it, and writes its first line. **Fails** with `RunFailed` */
  begin(): void
  /** Writes the frames, one line each; a last line says how many were missed, if any. **Fails** with `RunFailed` */
  write(recording: ProxyRecording): void
  close(): void
}

/** Keys may stand in it. A file that is there keeps the mode that it has. */
const recordMode = 0o600

/** Lines are handed to the system so many characters at a time. */
const batchLength = 1024 * 1024

/**
 * Opens the file, so that nobody finds out at the end that it cannot be written. What stands in it stays until `begin`, and one that was not there
 * is removed when it is closed before that.
 *
 * **Fails** with `RunFailed`
 *
 * @since 0.1.0
 * @category constructors
 */
export const openRecordFile = (path: string, firstLine: string): RecordFile => {
  const failed = (error: unknown): RunFailed =>
    new RunFailed(`cannot write the recording ${JSON.stringify(path)}: ${unwritableText(path, error)}`)
  const orFailed = <A>(work: () => A): A => {
    try {
      return work()
    } catch (error) {
      throw failed(error)
    }
  }
  const special = orFailed(() => specialFile(path))
  if (special !== undefined) throw failed(new Error(`it is ${special}; give --record a file`))
  const wasThere = existsSync(path)
  const file = orFailed(() => openSync(path, constants.O_WRONLY | constants.O_CREAT, recordMode))
  // Not the link that may stand at the path.
  const made = wasThere ? null : orFailed(() => realpathSync(path))
  let hasBegun = false
  return {
    begin() {
      hasBegun = true
      orFailed(() => {
        // Devices have nothing to be taken away.
        if (fstatSync(file).isFile()) ftruncateSync(file)
        writeAll(file, `${firstLine}\n`)
      })
    },
    write: (recording) =>
      orFailed(() => {
        for (const text of batches(linesOf(recording))) writeAll(file, text)
      }),
    close() {
      closeSync(file)
      if (!hasBegun && made !== null) rmSync(made, { force: true })
    }
  }
}

function* linesOf({ frames, missed }: ProxyRecording): Generator<string> {
  for (const frame of frames) yield recordedLine(frame)
  if (missed > 0) yield JSON.stringify({ type: "missed", frames: missed })
}

/**
 * A frame as a line of JSON: header and body each as plans write bytes, `{ text }` or `{ hex }`.
 *
 * @since 0.1.0
 * @category encoding
 */
export const recordedLine = ({ connection, direction, index, kind, headerBytes, bytes, at }: RecordedFrame): string =>
  JSON.stringify({
    type: index === null ? "tail" : "frame",
    at,
    connection,
    direction,
    ...(index === null ? {} : { index }),
    ...(kind === null ? {} : { kind }),
    ...(headerBytes === 0 ? {} : { header: writeBytes(bytes.subarray(0, headerBytes)) }),
    body: writeBytes(bytes.subarray(headerBytes))
  })

function* batches(lines: Iterable<string>): Generator<string> {
  let text = ""
  for (const line of lines) {
    text += `${line}\n`
    if (text.length < batchLength) continue
    yield text
    text = ""
  }
  if (text !== "") yield text
}

const writeAll = (file: number, text: string): void => {
  const bytes = Buffer.from(text)
  let sent = 0
  while (sent < bytes.length) sent += writeSync(file, bytes, sent)
}
