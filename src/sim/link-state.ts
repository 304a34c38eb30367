import { derive } from "../kernel/derive-seed.ts"
import type { KeptState } from "../kernel/kept-state.ts"

/** One direction of a link, as far as nobody else tells it. */
export interface FlowState {
  /** A piece was sent that will arrive. */
  sent(payload: unknown): void
  /** The oldest of them has arrived. */
  arrived(): void
  isEmpty(): boolean
  /** What has arrived in all, which readers may have in part, and what is under way. */
  text(): string
}

/**
 * What went over one direction of a link. Where nobody asks for the state of the world, pieces are counted only.
 *
 * @since 0.1.0
 * @category simulation
 */
export const makeFlowState = (kept: KeptState): FlowState => {
  const underWay: Array<unknown> = []
  let heard = 0
  return {
    sent: (payload) => void underWay.push(payload),
    arrived() {
      const payload = underWay.shift()
      heard = kept.isWanted() ? derive(heard, contentOf(payload)) : heard + 1
    },
    isEmpty: () => underWay.length === 0,
    text: () => `${heard}:${derive(underWay.length, underWay.map(contentOf).join(" "))}`
  }
}

const letters = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** What a message or a piece of a stream says; who watches it is no part of that. */
export const contentOf = (payload: unknown): string =>
  payload instanceof Uint8Array
    ? letters(payload)
    : (JSON.stringify(payload, (key, value: unknown) =>
        key === "watch" ? undefined : value instanceof Uint8Array ? letters(value) : value
      ) ?? "")
