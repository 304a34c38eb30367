import { SandboxError } from "../../domain/harness-errors.ts"
import { isLoopbackHost, parseUrl } from "../diagnostics/sanitised-url.ts"
import type { MockWiring } from "./environment-request.ts"

/** No agent is ever given another key. Source: agent-harness.md, section 1.5. */
export const fakeApiKey = "test-key-for-ci"

/** Says that the caller knows where the requests of the agent will go. */
export interface WiringOptions {
  /** Lets the URL lead to another machine; false by default. */
  readonly allowRemote?: boolean
}

/**
 * What wiring a URL means.
 *
 * **Takes** the base URL of the mock, with its `/v1` if it has one; it is passed on as it is
 * **Fails** with `SandboxError` for what is no HTTP URL, and for a host that is not this machine, unless `allowRemote`
 * **Source** agent-harness.md, section 1.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const mockWiring = (mockUrl: string, { allowRemote = false }: WiringOptions = {}): MockWiring => {
  const url = parseUrl(mockUrl)
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new SandboxError("the URL of the mock is no http or https URL; use one like http://127.0.0.1:8080/v1")
  }
  if (!isLoopbackHost(url.hostname) && !allowRemote) {
    throw new SandboxError(
      `the mock would be at ${url.hostname}, which is not this machine; use a URL on 127.0.0.1, or pass { allowRemote: true }`
    )
  }
  return { mockUrl, mockOrigin: url.origin, apiKey: fakeApiKey }
}
