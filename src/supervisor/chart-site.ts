import { isCallable, ownPropertyOf, propertyOf } from "./chart-untyped.ts"
import { UnsupportedChart } from "./unsupported-chart.ts"

/**
 * Where in which chart something was found, and what the chart declares.
 *
 * @since 0.1.0
 * @category models
 */
export interface Site {
  readonly chart: string
  readonly state: string
  readonly implementations: Readonly<Record<"actions" | "guards" | "delays", unknown>>
}

/**
 * Throws `UnsupportedChart` for a construct at this site.
 *
 * @since 0.1.0
 * @category compiling
 */
export const refuse = (site: Site, construct: string, instead: string): never => {
  throw new UnsupportedChart({ chart: site.chart, state: site.state, construct, instead })
}

/**
 * What the chart declares under `name`. Refuses a name that it does not declare.
 *
 * @since 0.1.0
 * @category compiling
 */
export const declared = (site: Site, kind: "actions" | "guards" | "delays", name: string): unknown => {
  const found = ownPropertyOf(site.implementations[kind], name)
  if (found !== undefined) return found
  const names = Object.keys(Object(site.implementations[kind]))
  const there = names.length === 0 ? "none" : names.join(", ")
  return refuse(
    site,
    `unknown ${kind.slice(0, -1)} "${name}"`,
    `Declare it in setup({ ${kind} }), which has: ${there}.`
  )
}

/**
 * A name with params, as actions and guards are referred to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reference {
  readonly name: string
  readonly params: unknown
}

/**
 * Reads `"name"` and `{ type: "name", params }`; null when it is neither.
 *
 * @since 0.1.0
 * @category compiling
 */
export const readReference = (value: unknown): Reference | null => {
  if (typeof value === "string") return { name: value, params: undefined }
  const name = isCallable(value) ? undefined : propertyOf(value, "type")
  return typeof name === "string" ? { name, params: propertyOf(value, "params") } : null
}
