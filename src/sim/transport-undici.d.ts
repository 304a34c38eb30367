/*
 * Files of undici that are loaded without the rest of it: a whole undici would cost every run its start, and loading it only
 * when a program asks for a dispatcher would be real work inside a run.
 */
declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici"
  export = Dispatcher
}

declare module "undici/lib/api/index.js" {
  import type { Dispatcher } from "undici"

  const api: Pick<Dispatcher, "connect" | "pipeline" | "request" | "stream" | "upgrade">
  export = api
}
