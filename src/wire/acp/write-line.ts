import type { RpcError } from "./line-content.ts"

/** A request, as its line without LF. */
export const requestLine = (id: number | string, method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...given(params) })

/** A notification, as its line without LF. */
export const notificationLine = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", method, ...given(params) })

/** The answer to a request of the other side; its id goes back as it was written. */
export const resultLine = (idToken: string, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${idToken},"result":${JSON.stringify(result) ?? "null"}}`

/** The refusal of a request of the other side; `data` is left out when it is undefined. */
export const errorLine = (idToken: string, error: RpcError): string =>
  `{"jsonrpc":"2.0","id":${idToken},"error":${JSON.stringify(error)}}`

const given = (params: unknown): { readonly params?: unknown } => (params === undefined ? {} : { params })
