/** A URL, or `null` for a text that is none. */
export const parseUrl = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/**
 * Whether a host, as a parsed URL has it, is this machine.
 *
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category guards
 */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname.toLowerCase() === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)

const shownSchemes = ["http:", "https:", "ws:", "wss:"]

/**
 * What of a URL may be shown: one on this machine, without user, query and fragment.
 *
 * **Gives** `null` for everything else
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category encoding
 */
export const sanitisedUrl = (text: string): string | null => {
  const url = parseUrl(text)
  if (url === null || !shownSchemes.includes(url.protocol) || !isLoopbackHost(url.hostname)) return null
  return `${url.protocol}//${url.host}${url.pathname}`
}
