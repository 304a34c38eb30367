import { Readable, Writable } from "node:stream"
import type { ByteEnd } from "./byte-pair.ts"
import { transportErrors } from "./transport-errors.ts"

/** The end of a pipe that is read. */
export const pipeReader = (end: ByteEnd): Readable => {
  const pipe = new Readable({
    read: () => end.resume(),
    destroy(error, done) {
      end.close()
      done(error)
    }
  })
  // Nothing is taken out of the pipe before somebody reads.
  end.pause()
  // A pipe knows no reset: however its writer went, the reader sees the end.
  const ended = (): void => void pipe.push(null)
  end.read({
    data(bytes) {
      if (!pipe.push(bytes)) end.pause()
    },
    fin: ended,
    rst: ended
  })
  return pipe
}

/** The end of a pipe that is written; without a reader a write fails with `EPIPE`. */
export const pipeWriter = (end: ByteEnd): Writable => {
  let written: (() => void) | null = null
  const tell = (): void => {
    const done = written
    written = null
    done?.()
  }
  const pipe = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // What is written may be changed by its writer as soon as it is told.
      if (chunk.byteLength === 0 || end.send(Uint8Array.from(chunk), chunk.byteLength)) done()
      else written = done
    },
    final(done) {
      end.finish()
      done()
    },
    destroy(error, done) {
      written = null
      end.close()
      done(error)
    }
  })
  end.read({
    // Nobody writes to a writer.
    data() {},
    // The reader has closed its end: whoever writes on learns it.
    fin() {},
    rst: () => void pipe.destroy(transportErrors.brokenPipe()),
    room: tell
  })
  return pipe
}
