import type { ProxyRecording, RecordedFrame } from "./proxy-recording.ts"

/** Keeps frames until its memory is full; what comes then is counted. */
export interface FrameRecorder {
  keep(frame: RecordedFrame): void
  recording(): ProxyRecording
}

/** A frame costs more than its bytes. */
const entryBytes = 128

/** @since 0.1.0 @category constructors */
export const makeFrameRecorder = (bytesMax: number): FrameRecorder => {
  const frames: Array<RecordedFrame> = []
  let bytes = 0
  let missed = 0
  return {
    keep(frame) {
      const size = entryBytes + frame.bytes.length
      if (missed > 0 || bytes + size > bytesMax) {
        missed += 1
        return
      }
      bytes += size
      // A copy: what came in one chunk would be kept as a whole for each of its frames.
      frames.push({ ...frame, bytes: frame.bytes.slice() })
    },
    recording: () => ({ frames: [...frames], missed })
  }
}
