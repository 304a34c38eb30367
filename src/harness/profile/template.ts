/** A placeholder is a word in braces; braces of JSON and TOML hold more, or nothing, and stay as they are. */
const placeholder = /\{([A-Za-z][\w-]*)\}/g

/**
 * The names of the placeholders of a template, in order, as often as they stand there.
 *
 * @since 0.1.0
 * @category templates
 */
export const placeholdersOf = (template: string): ReadonlyArray<string> =>
  [...template.matchAll(placeholder)].map(([, name = ""]) => name)

/**
 * A template with its placeholders filled in. What was filled in is not read again, and an unknown placeholder stays.
 *
 * @since 0.1.0
 * @category templates
 */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole
  )

/** What a template may name that is filled in from a sandbox. */
export const sandboxPlaceholders = ["home", "stateDir", "workspace", "temp"] as const

/** What a template may name that is filled in from the mock. */
export const mockPlaceholders = ["mockUrl", "mockOrigin", "apiKey"] as const

/** What a template of headless arguments may name. */
export const headlessPlaceholders = ["prompt", "format", "model", "cwd"] as const
