/**
 * The id that a request of a client has towards the agent: the number of the client, and the id as it was written.
 *
 * **Gives** the token of a JSON string
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const routedId = (client: number, idToken: string): string => JSON.stringify(`${client}|${idToken}`)

/** Whose request an id of the agent answers; `null` when it is none that `routedId` has made. */
export const routeOf = (id: unknown): { readonly client: number; readonly idToken: string } | null => {
  const [, client, idToken] = typeof id === "string" ? (/^([1-9]\d{0,15})\|([\s\S]+)$/.exec(id) ?? []) : []
  if (client === undefined || idToken === undefined || !isJson(idToken)) return null
  return { client: Number(client), idToken }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
