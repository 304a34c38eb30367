import type { RequestHead } from "../domain/request.ts"
import type { RequestWatch } from "./client-watch.ts"

/** Status and headers of an answer, as the server gave them: `name, value, name, value`. */
export interface ResponseHead {
  readonly status: number
  readonly headers: ReadonlyArray<string>
}

/**
 * What travels on a connection whose ends speak HTTP without bytes on a wire: whole messages or parts of them. An answer
 * is `raw` from the moment at which bytes went past the framing of HTTP: then its body is in chunks as on a socket.
 */
export type HttpMessage =
  | {
      readonly kind: "request"
      readonly head: RequestHead
      readonly body: Uint8Array
      readonly isWhole: boolean
      /** Who watches it; no part of what is sent. */
      readonly watch: RequestWatch | null
    }
  | { readonly kind: "body"; readonly body: Uint8Array; readonly isLast: boolean }
  | {
      readonly kind: "response"
      readonly head: ResponseHead | null
      readonly body: ReadonlyArray<Uint8Array>
      readonly isRaw: boolean
      readonly isEnd: boolean
    }

/** A message that is an answer, or a part of one. */
export type ResponseMessage = Extract<HttpMessage, { readonly kind: "response" }>

/** What a message counts in the window of its connection. */
export const sizeOf = (message: HttpMessage): number =>
  message.kind === "response"
    ? message.body.reduce((sum, { byteLength }) => sum + byteLength, 0)
    : message.body.byteLength

/** The value of a header in a flat list; repeated ones do not matter to those who ask. */
export const headerIn = (headers: ReadonlyArray<string>, name: string): string | undefined => {
  const at = headers.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}
