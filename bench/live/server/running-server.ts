import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { resolve as resolvePath } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Sizes } from "../../shared/row.ts"
import { answerReader } from "./answer-reader.ts"
import { type ExchangeKind, requestBytes } from "./exchanges.ts"
import { freePort } from "./free-port.ts"
import type { Target } from "./targets.ts"

/** A server in a process of its own. */
export interface RunningServer {
  readonly port: number
  /** From its start to its first right answer, in milliseconds. */
  readonly startMs: number
  /** All of its memory, in bytes; `null` where the system does not tell. */
  rssBytes(): number | null
  /** CPU time so far, in seconds; `null` where the system does not tell. */
  cpuSeconds(): number | null
  stop(): Promise<void>
}

/** How long a server may take to begin. */
const startMsMax = 30_000

/** Starts a server, and waits until it answers. */
export const startServer = async (
  target: Target,
  kind: ExchangeKind,
  { own }: Pick<Sizes, "own">
): Promise<RunningServer> => {
  const port = await freePort()
  const profile = (own["profile"] ?? []).flatMap((folder) => ["--cpu-prof", `--cpu-prof-dir=${resolvePath(folder)}`])
  const args = [...profile, ...target.args(kind, port)]
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...target.env?.(port) }
  })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000)
  })
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()))
  while (!(await answers(port, kind))) {
    if (child.exitCode !== null || performance.now() - begun > startMsMax) {
      child.kill("SIGKILL")
      throw new Error(`${target.name} does not answer: ${said}`)
    }
    await setTimeout(1)
  }
  const startMs = performance.now() - begun
  return {
    port,
    startMs,
    rssBytes: () => rssOf(child.pid),
    cpuSeconds: () => cpuOf(child.pid),
    async stop() {
      // A profile is written behind a clean end.
      child.kill(profile.length > 0 ? "SIGTERM" : "SIGKILL")
      await ended
    }
  }
}

/** Asks once. **Gives** false when nobody listens. **Fails** when the answer is wrong */
const answers = (port: number, kind: ExchangeKind): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const reader = answerReader(kind, { bytes: Buffer.alloc(0) })
    const socket = connect({ port, host: "127.0.0.1" }, () => void socket.write(requestBytes(kind)))
    socket.once("error", () => resolve(false))
    socket.once("close", () => resolve(false))
    socket.on("data", (bytes) => {
      try {
        if (!reader.take(bytes)) return
        resolve(true)
      } catch (error) {
        reject(error)
      }
      socket.destroy()
    })
  })

/** Ticks of a second, as Linux counts CPU time for programs. */
const ticksPerSecond = 100

const cpuOf = (pid: number | undefined): number | null => {
  try {
    // Behind the name, which may hold anything, stand the other fields.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return null
  }
}

const rssOf = (pid: number | undefined): number | null => {
  try {
    const kibibytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kibibytes === undefined ? null : Number(kibibytes) * 1_024
  } catch {
    return null
  }
}
