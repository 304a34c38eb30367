import fc from "fast-check"
import type { Direction } from "../../src/proxy/plan/fault-program.ts"
import type { PlanSource, RuleSource } from "../../src/proxy/plan/plan-source.ts"
import { cutters } from "./framed-streams.ts"
import { allWires, type ProxyWire, type RawStream, rawStreams } from "./proxy-streams.ts"

/** What an end does when it has sent everything. */
export type SendingEnd = "end" | "stay" | "destroy" | "reset"

/** A program at one end of a connection: what it sends, in which pieces and when, and when it reads. */
export interface EndScene {
  readonly raw: RawStream
  readonly cut: (bytes: Uint8Array) => ReadonlyArray<Uint8Array>
  /** Before each piece, over and over. */
  readonly gapsMs: ReadonlyArray<number>
  readonly ending: SendingEnd
  /** It stops reading, reads again, and so on, each so long after the one before; it begins by reading. */
  readonly turnsMs: ReadonlyArray<number>
}

export interface ConnectionScene {
  /** After the one before was accepted. */
  readonly afterMs: number
  readonly client: EndScene
  readonly upstream: EndScene
  /** Nobody listens behind the proxy. */
  readonly isRefused?: boolean
}

/** How simulated sockets behave: calm, or as a seed has it; and how many bytes may be under way in one direction. */
export interface WorldScene {
  readonly seed: number | null
  readonly windowBytes: number
}

/** Something that the test does to the proxy while it runs. */
export type ProxyDeed =
  | { readonly type: "pause" | "resume"; readonly direction: Direction; readonly connection?: number | undefined }
  | { readonly type: "partition" | "heal"; readonly direction: Direction | null }
  | { readonly type: "release"; readonly barrier: string }
  | { readonly type: "vanish" | "severConnection"; readonly connection: number }
  | { readonly type: "severNow" }
  | { readonly type: "addRule"; readonly rule: RuleSource }
  | { readonly type: "removeRule"; readonly id: string }
  | { readonly type: "setPlan"; readonly plan: PlanSource }

/** So long after the one before it; or at once when the proxy has logged so many events, from within the step that logs. */
export interface TimedDeed {
  readonly when: { readonly afterMs: number } | { readonly atEvent: number }
  readonly deed: ProxyDeed
}

/** A run of a proxy as data. */
export interface ProxyScene {
  readonly wire: ProxyWire
  readonly connections: ReadonlyArray<ConnectionScene>
  readonly plan: PlanSource
  readonly deeds: ReadonlyArray<TimedDeed>
  readonly seed: number
  readonly tail: "forward" | "drop"
  readonly record: boolean
  readonly world: WorldScene
}

const gapMs = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(60) })

const windowBytes = fc.constantFrom(65_536, 65_536, 1_000, 64, 7, 1)

export const worlds: fc.Arbitrary<WorldScene> = fc.record({
  seed: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 5, arbitrary: fc.nat() }),
  windowBytes
})

/** Ends that send everything, and close as `endings` says. */
export const endScenes = (...endings: ReadonlyArray<SendingEnd>): fc.Arbitrary<EndScene> =>
  fc.record({
    raw: rawStreams,
    cut: cutters,
    gapsMs: fc.array(gapMs, { minLength: 1, maxLength: 4 }),
    ending: fc.constantFrom(...endings),
    turnsMs: fc.array(fc.nat(80), { maxLength: 4 })
  })

export const connectionScenes = (...endings: ReadonlyArray<SendingEnd>): fc.Arbitrary<ConnectionScene> =>
  fc.record({ afterMs: gapMs, client: endScenes(...endings), upstream: endScenes(...endings) })

/** Whose ends are polite: each sends all it has, and at most ends its side. */
export const politeConnections = fc.array(connectionScenes("end", "stay"), { minLength: 1, maxLength: 3 })

/** Anybody may also leave at once. */
export const anyConnections = fc.array(connectionScenes("end", "end", "stay", "destroy", "reset"), {
  minLength: 1,
  maxLength: 3
})

/** A scene without faults and deeds, of which others are made. */
export const plainScenes = (
  connections: fc.Arbitrary<ReadonlyArray<ConnectionScene>> = politeConnections,
  wires: fc.Arbitrary<ProxyWire> = allWires
): fc.Arbitrary<ProxyScene> =>
  fc
    .record({
      wire: wires,
      connections,
      plan: fc.constant({}),
      deeds: fc.constant([]),
      seed: fc.nat(1_000),
      tail: fc.constantFrom<"forward" | "drop">("forward", "forward", "drop"),
      record: fc.boolean(),
      world: worlds
    })
    .map((scene) =>
      scene.wire.choice === "webSocket" ? { ...scene, connections: scene.connections.map(polite) } : scene
    )

/** Where the heads of web sockets are cut off, what follows is no frames any more. */
const polite = ({ client, upstream, ...rest }: ConnectionScene): ConnectionScene => ({
  ...rest,
  client: { ...client, ending: client.ending === "stay" ? "stay" : "end" },
  upstream: { ...upstream, ending: upstream.ending === "stay" ? "stay" : "end" }
})
