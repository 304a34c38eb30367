const secretWords = [
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PASS",
  "KEY",
  "AUTH",
  "AUTHORIZATION",
  "CREDENTIAL",
  "CREDENTIALS",
  "COOKIE",
  "SESSION"
]

const secretEndings = ["TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "CREDENTIALS", "APIKEY"]

/**
 * Whether a variable of this name holds a secret.
 *
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category guards
 */
export const isSecretName = (name: string): boolean =>
  name
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .some((word) => secretWords.includes(word) || secretEndings.some((ending) => word.endsWith(ending)))

/** Whether a variable of this name holds an address. Source: agent-harness.md, section 1.10. */
export const isEndpointName = (name: string): boolean => /URL|ENDPOINT|PROXY/.test(name.toUpperCase())
