import type { ProxyKind } from "./proxy-program.ts"

/** Fault plans that do nothing to what is measured, each with more to be known of frames than the one before. */
export const plans = {
  empty: { plan: {} },
  farAway: { plan: { rules: [{ direction: "both", match: { index: 1_000_000_000 }, action: "drop" }] } },
  looking: { plan: { rules: [{ direction: "both", match: { method: "never" }, action: "drop" }] } }
} as const satisfies Readonly<Record<string, ProxyKind>>
