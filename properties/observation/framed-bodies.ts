import { openFraming } from "../../src/proxy/framing/open-framing.ts"
import type { FramingChoice } from "../../src/proxy/proxy-options.ts"
import type { PlayedWay } from "./play-proxy.ts"
import { hex } from "./proxy-expected.ts"

/** The messages that a receiver has got, without what their framing adds. */
export const bodiesOf = (choice: FramingChoice, { receiver, direction }: PlayedWay): ReadonlyArray<string> => {
  const reader = openFraming(choice).open()[direction]
  const bodies: Array<string> = []
  reader.feed(receiver.bytes())
  for (let part = reader.next(one); part !== null; part = reader.next(one)) {
    const body = part.bytes.subarray(part.last?.headerBytes ?? 0)
    // A line ends with its LF, which is no part of what it says.
    const text = part.last?.headerBytes === 0 ? body.subarray(0, -1) : body
    // As in lines, which cannot hold it.
    bodies.push(hex(text.map((byte) => (byte === 10 ? 11 : byte))))
  }
  return bodies
}

const one = { most: 1, isWhole: true } as const
