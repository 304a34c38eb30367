import type { StopSignal } from "../../src/cli/command-io.ts"
import { type RunningCommand, start } from "./fake-io.ts"
import type { Json } from "./lines.ts"

/** `understudy faults` in this process, ready. */
export interface RunningFaults extends RunningCommand {
  readonly ready: Json
  readonly url: string
}

/** Starts the command and waits until it answers. */
export const startFaults = async (...argv: ReadonlyArray<string>): Promise<RunningFaults> => {
  const command = start(["faults", ...argv])
  const ready = await command.out.record("ready")
  return { ...command, ready, url: String(ready["url"]) }
}

export const onFreePort = (...argv: ReadonlyArray<string>): Promise<RunningFaults> =>
  startFaults("--port", "0", ...argv)

export const ask = async (
  url: string,
  options: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: unknown } = {}
): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`${url}${options.path ?? "/chat/completions"}`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close", ...options.headers },
    body: JSON.stringify(options.body ?? { model: "m", messages: [], stream: true })
  })
  return { status: response.status, text: await response.text() }
}

/** The same where the connection may be dropped. */
export const tryTo = (url: string): Promise<unknown> => ask(url).catch((error: unknown) => error)

export const records = ({ out }: Pick<RunningCommand, "out">): ReadonlyArray<Json> =>
  out.all.map((line) => JSON.parse(line))

export const stop = async (command: RunningCommand, signal: StopSignal = "SIGTERM"): Promise<number> => {
  command.signal(signal)
  return command.code
}
