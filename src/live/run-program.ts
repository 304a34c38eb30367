import { spawn } from "node:child_process"
import { SpawnFailed } from "../domain/harness-errors.ts"
import type { RunProgram } from "../ports/run-program.ts"

/** So much of each stream is kept, the end of it. */
const keptBytesMax = 16 * 1024 * 1024

/**
 * Runs a program on this machine.
 *
 * @since 0.1.0
 * @category layers
 */
export const runProgram: RunProgram = ({ program, args, cwd, environment }) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd,
      env: { ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true
    })
    const stdout = makeEnd()
    const stderr = makeEnd()
    child.stdout.on("data", stdout.add)
    child.stderr.on("data", stderr.add)
    child.once("error", (error) => {
      const code = "code" in error && typeof error.code === "string" ? error.code : null
      reject(new SpawnFailed(`${program} could not be started: ${error.message}`, { code, cause: error }))
    })
    child.once("exit", (code, signal) => {
      // While the leader of a group is being reported, its number cannot be another's yet.
      killGroup(child.pid)
      const abandon = setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, drainMsMax)
      child.once("close", () => {
        clearTimeout(abandon)
        resolve({ code, signal, stdout: stdout.text(), stderr: stderr.text() })
      })
    })
  })

/** What left the group can hold the pipes open for as long as it likes. Source: agent-harness.md, section 1.9.7. */
const drainMsMax = 1000

const killGroup = (pid: number | undefined): void => {
  if (pid === undefined || pid <= 1 || process.platform === "win32") return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nobody was left in it.
  }
}

/** Keeps the end of a stream. */
const makeEnd = () => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  return {
    add(chunk: Buffer): void {
      chunks.push(chunk)
      bytes += chunk.length
      while (bytes - (chunks[0]?.length ?? 0) >= keptBytesMax) bytes -= chunks.shift()?.length ?? 0
    },
    text: (): string => Buffer.concat(chunks).subarray(-keptBytesMax).toString("utf8")
  }
}
