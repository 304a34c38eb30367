import { aFunction, listOf, members, type OptionCheck, oneOf, shown } from "../../domain/option-checks.ts"

const names = ["default", "cancelAll", "rejectOnce", "hold"]
const scripted = members({ scripted: listOf(oneOf(["allow_once", "allow_always", "reject_once", "reject_always"])) })
const custom = members({ custom: aFunction })

/**
 * What a policy for permissions is to be; see `PermissionPolicy`.
 *
 * @since 0.1.0
 * @category guards
 */
export const permissionPolicy: OptionCheck = (value, path) => {
  if (typeof value === "string") return oneOf(names)(value, path)
  if (typeof value === "object" && value !== null) {
    if ("scripted" in value) return scripted(value, path)
    if ("custom" in value) return custom(value, path)
  }
  return `${path} is ${shown(value)}; give one of ${names.join(", ")}, { scripted: [kinds] } or { custom: function }`
}
