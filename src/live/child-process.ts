import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import type { Readable } from "node:stream"
import type { OutputStream, ProcessReport, StartedProcess, StartSpec } from "../ports/process-port.ts"
import { codeOf } from "./proc-files.ts"

/**
 * Starts a program in a session and group of its own. What happens is reported as Node tells it; the end of the process in the very
 * callback of the event loop that took it off.
 *
 * @since 0.1.0
 * @category processes
 */
export const startChild = (spec: StartSpec, report: ProcessReport): StartedProcess => {
  const child = spawnOrNull(spec, report)
  if (child === null) return nothingStarted
  const tellFailure = (error: Error): void => {
    if (child.pid === undefined) report.failed({ code: codeOf(error), reason: reasonOf(error, spec.program) })
  }
  child.on("error", tellFailure)
  if (child.pid === undefined) return nothingStarted
  // Told at once: from here on it is in the care of whoever has it.
  report.started(child.pid)
  child.once("exit", (code, signal) => report.exited({ code, signal }))
  let isReleased = false
  const listen = (name: OutputStream): OutputHold | null => {
    const stream = child[name]
    if (stream === null) return null
    const hold = turnByTurn(stream)
    let problem: string | null = null
    stream.on("data", (bytes: Buffer) => {
      hold.rest()
      if (!isReleased) report.output(name, bytes)
    })
    stream.on("error", (error) => {
      problem = codeOf(error) ?? error.message
    })
    stream.once("close", () => {
      if (!isReleased) report.outputEnded(name, problem)
    })
    return hold
  }
  const outputs = { stdout: listen("stdout"), stderr: listen("stderr") }
  if (outputs.stderr === null) report.outputEnded("stderr", null)
  // What a write meets is told to whoever wrote.
  child.stdin?.on("error", () => {})
  return {
    write(bytes, done) {
      if (child.stdin === null || child.stdin.destroyed) return done("closed")
      child.stdin.write(bytes, (error) => done(error ? (codeOf(error) ?? error.message) : null))
    },
    endInput: () => child.stdin?.end(),
    pause: (name) => outputs[name]?.pause(),
    resume: (name) => outputs[name]?.resume(),
    release() {
      isReleased = true
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    }
  }
}

/** How a stream is held back: by whoever reads it, and between two pieces. */
interface OutputHold {
  pause(): void
  resume(): void
  rest(): void
}

/**
 * A stream gives a piece, and the next one in another turn of the event loop. Node reads up to 32 pieces in one turn, 2 MiB, and somebody
 * who writes without end would have all turns: no timer would fire in time.
 */
const turnByTurn = (stream: Readable): OutputHold => {
  let isHeld = false
  let isResting = false
  const flow = (): void => {
    if (isHeld || isResting) stream.pause()
    else stream.resume()
  }
  return {
    pause() {
      isHeld = true
      flow()
    },
    resume() {
      isHeld = false
      flow()
    },
    rest() {
      if (isResting) return
      isResting = true
      flow()
      setImmediate(() => {
        isResting = false
        flow()
      })
    }
  }
}

const spawnOrNull = (spec: StartSpec, report: ProcessReport): ChildProcess | null => {
  const file = spec.stderrFile === undefined ? null : openOrNull(spec.stderrFile)
  const stderr = spec.stderrFile === undefined ? "pipe" : (file ?? "ignore")
  try {
    return spawn(spec.program, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.environment },
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [spec.stdin === "piped" ? "pipe" : "ignore", "pipe", stderr]
    })
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error, spec.program) : String(error)
    report.failed({ code: codeOf(error), reason })
    return null
  } finally {
    // The child has one of its own.
    if (file !== null) closeSync(file)
  }
}

const openOrNull = (path: string): number | null => {
  try {
    return openSync(path, "w")
  } catch {
    return null
  }
}

const nothingStarted: StartedProcess = {
  write: (_, done) => done("nothing was started"),
  endInput: () => {},
  pause: () => {},
  resume: () => {},
  release: () => {}
}

/** The system's words hold the arguments; a code does not. */
const reasonOf = (error: Error, program: string): string => {
  const code = codeOf(error)
  if (code === "ENOENT") return `ENOENT; ${program} exists, so it may name an interpreter that does not`
  if (code === "EACCES") return `EACCES; ${program} may not be executed`
  return code ?? error.message
}
