/** Puts another length into a header of the same size; gives the header as it is when it has no length. */
export type RewriteLength = (header: Uint8Array, length: number) => Uint8Array

/**
 * What a plan is told of a frame whose last byte has arrived.
 *
 * @since 0.1.0
 * @category models
 */
export interface PlanFrame {
  /** From 1, of all frames that were received in this direction of this connection. */
  readonly index: number
  readonly headerBytes: number
  readonly totalBytes: number
  /** How many bytes of the direction came before the frame. */
  readonly bytesBefore: number
  /** What kind of frame the framing says it is; `null` where it knows but one. */
  readonly kind: string | null
  /** The frame, for what changes it. Nobody writes into these bytes. */
  readonly bytes: () => Uint8Array
  /** The decoded content; `undefined` when there is none. Asked once, by the first rule that needs it. */
  readonly content: () => unknown
}

/**
 * Where a frame is severed: a strict prefix of it, in bytes.
 *
 * **Gives** `afterBytes` where it is given, else half of the header, or of the frame where there is no header, at least 1; never the
 * whole frame
 * **Source** agent-harness.md, section 6.3
 *
 * @since 0.1.0
 * @category faults
 */
export const severPoint = (
  { headerBytes, totalBytes }: { readonly headerBytes: number; readonly totalBytes: number },
  afterBytes: number | null = null
): number => {
  const half = Math.max(1, Math.floor((headerBytes > 0 ? headerBytes : totalBytes) / 2))
  return Math.max(0, Math.min(afterBytes ?? half, totalBytes - 1))
}
