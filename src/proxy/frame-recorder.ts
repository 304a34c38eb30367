import { copiedBytes } from "../domain/copied-bytes.ts"
import type { ProxyRecording, RecordedFrame } from "./proxy-recording.ts"

/** Keeps frames until its memory is full; what comes then is counted. */
export interface FrameRecorder {
  keep(frame: RecordedFrame): void
  /** So many frames have come that are not kept. */
  miss(frames: number): void
  /** Frames that are not complete take so many bytes more, or fewer. */
  hold(bytes: number): void
  /** For how many bytes there is room. */
  roomBytes(): number
  recording(): ProxyRecording
}

/** A frame costs more than its bytes. */
const entryBytes = 128

/** @since 0.1.0 @category constructors */
export const makeFrameRecorder = (bytesMax: number): FrameRecorder => {
  const frames: Array<RecordedFrame> = []
  let bytes = 0
  let openBytes = 0
  let missed = 0
  // What comes behind a frame that was missed would look as if it had come before it.
  const roomBytes = (): number => (missed > 0 ? 0 : bytesMax - bytes - openBytes)
  return {
    keep(frame) {
      const size = entryBytes + frame.bytes.length
      if (size > roomBytes()) {
        missed += 1
        return
      }
      bytes += size
      // A copy: what came in one chunk would be kept as a whole for each of its frames.
      frames.push({ ...frame, bytes: copiedBytes(frame.bytes) })
    },
    miss(count) {
      missed += count
    },
    hold(more) {
      openBytes += more
    },
    roomBytes,
    recording: () => ({ frames: [...frames], missed })
  }
}
