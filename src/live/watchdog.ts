import { spawn } from "node:child_process"
import { Socket } from "node:net"
import type { Writable } from "node:stream"
import { ownerVariable } from "../domain/owner-mark.ts"
import { processStat } from "./proc-files.ts"

/**
 * A small process that outlives this one by a moment: when this one is gone, however that came, it kills the groups that were
 * left in its care, and all that carries the mark of their run.
 *
 * **Source** agent-harness.md, section 1.9.8 (d)
 *
 * @since 0.1.0
 * @category processes
 */
export interface Watchdog {
  add(group: number): void
  remove(group: number): void
  /** Sends it home; `done` is called when it is gone. */
  end(done: () => void): void
}

/**
 * Reads `+ GROUP START`, `- GROUP` and at the end of its input kills. A number whose process started at another time is another's;
 * one whose leader is gone still belongs to what is left of its group. Only what the shell has built in runs before the end.
 */
const script = `
trap '' INT TERM HUP
groups=' '
while read -r sign group start; do
  case $sign in
    +) groups="$groups$group:$start " ;;
    -) before=\${groups%%" $group:"*}; after=\${groups#*" $group:"}; [ "$before" = "$groups" ] || groups="$before \${after#* }" ;;
  esac
done
for entry in $groups; do
  group=\${entry%%:*}; start=\${entry#*:}; found=
  if read -r stat 2>/dev/null < "/proc/$group/stat"; then set -- \${stat##*) }; shift 19; found=$1; fi
  if [ -z "$found" ] || [ "$found" = "$start" ]; then kill -s KILL -- "-$group" 2>/dev/null; fi
done
for round in 1 2 3 4 5; do
  found=$(grep -lF "$variable=$run:" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -s KILL "\${pid%/environ}" 2>/dev/null; done
done
`

/** Nobody starts a watchdog where there is no shell of POSIX. @since 0.1.0 @category constructors */
export const startWatchdog = (runId: string): Watchdog => {
  const child = spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    // Name and value of the mark apart: it must not find itself.
    env: { PATH: "/usr/bin:/bin", variable: ownerVariable, run: runId },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  let isGone = false
  let toldGone = (): void => {}
  const goes = (): void => {
    isGone = true
    toldGone()
  }
  child.once("exit", goes)
  // Where it cannot be started, the other layers are left.
  child.once("error", goes)
  // It does not keep this process.
  child.unref()
  unref(child.stdin)
  child.stdin.on("error", () => {})
  const tell = (line: string): void => {
    if (!isGone) child.stdin.write(`${line}\n`)
  }
  return {
    add: (group) => tell(`+ ${group} ${processStat(group)?.startTime ?? ""}`),
    remove: (group) => tell(`- ${group}`),
    end(done) {
      if (isGone) return done()
      toldGone = done
      child.ref()
      child.kill("SIGKILL")
    }
  }
}

/** The pipe is a socket, and its type does not say so. */
const unref = (stream: Writable): void => {
  if (stream instanceof Socket) stream.unref()
}
