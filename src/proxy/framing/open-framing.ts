import type { UpstreamAddress } from "../../ports/stream-port.ts"
import { contentLengthScanner } from "../../wire/frames/content-length-scanner.ts"
import type { FrameReader } from "../../wire/frames/frame-reader.ts"
import { lengthPrefixedScanner } from "../../wire/frames/length-prefixed-scanner.ts"
import { ndjsonScanner } from "../../wire/frames/ndjson-scanner.ts"
import { opaqueScanner } from "../../wire/frames/opaque-scanner.ts"
import { scanningReader } from "../../wire/frames/scanning-reader.ts"
import { openHttpFraming } from "../http/open-http-framing.ts"
import { upstreamHost } from "../http/upstream-host.ts"
import type { RewriteLength } from "../plan/plan-frame.ts"
import { contentLengthDigits, noLength, prefixLength } from "../plan/rewrite-length.ts"
import type { FramingChoice } from "../proxy-options.ts"
import { jsonBody } from "./frame-content.ts"
import type { Framing } from "./framing.ts"
import { type FramingOptions, readFramingChoice } from "./read-framing-choice.ts"
import { webSocketFraming } from "./web-socket-framing.ts"

/**
 * The framing of a choice.
 *
 * **Takes** where the bytes go, whose name requests of HTTP are given
 * **Fails** with `InvalidOption`
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const openFraming = (choice: FramingChoice = "lengthPrefixed", upstream?: UpstreamAddress): Framing =>
  framingOf(readFramingChoice(choice), upstream)

const framingOf = (options: FramingOptions, upstream: UpstreamAddress | undefined): Framing => {
  switch (options.type) {
    case "lengthPrefixed":
      return alike(prefixLength({ isLittleEndian: options.endian === "little" }), () =>
        scanningReader(lengthPrefixedScanner({ ...options, bodyBytesMax: options.limitBytes }), jsonBody)
      )
    case "ndjson":
      return alike(noLength, () => scanningReader(ndjsonScanner({ lineBytesMax: options.limitBytes }), jsonBody))
    case "contentLength":
      return alike(contentLengthDigits, () =>
        scanningReader(contentLengthScanner({ bodyBytesMax: options.limitBytes }), jsonBody)
      )
    case "opaque":
      return alike(noLength, () => scanningReader(opaqueScanner()))
    case "http": {
      const { limitBytes } = options
      return openHttpFraming({ limitBytes, upstreamHost: upstream === undefined ? undefined : upstreamHost(upstream) })
    }
    case "webSocket":
      return webSocketFraming(options)
  }
}

/** A framing whose directions know nothing of each other. */
const alike = (rewriteLength: RewriteLength, reader: () => FrameReader): Framing => ({
  rewriteLength,
  open: () => ({ clientToLeader: reader(), leaderToClient: reader() })
})
