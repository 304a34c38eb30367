import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { BinaryNotFound, SpawnCwdMissing, SpawnFailed } from "../../src/domain/harness-errors.ts"
import { gone, lines, makeProcessWorld, writtenPid } from "./process-world.ts"

/** The numbers are those of the scenarios of agent-harness.md, section 9. */
const isLinux = process.platform === "linux"

/** A group that ignores SIGTERM would be waited for; these are not to be asked. */
const patient = { graceMs: 30_000 }

describe("an owned process", () => {
  it("has its exit code, its reason and the last words of both streams (12)", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("printf stdout-final; printf stderr-final >&2; exit 7")

    expect(await process.wait()).toEqual({ code: 7, signal: null })
    expect([process.terminationReason, process.stdout.text(), process.stderr.text()]).toEqual([
      "NaturalExit",
      "stdout-final",
      "stderr-final"
    ])
    expect(process.pid).toBeUndefined()
  })

  it("keeps the end of more output than its tail holds (13)", async () => {
    const { node } = makeProcessWorld()
    const process = await node('process.stdout.write("0".repeat(256) + "stdout-final")', { tailBytes: 64 })
    await process.wait()

    expect([process.stdout.isTruncated(), process.stdout.bytesSeen()]).toEqual([true, 268])
    expect(process.stdout.text()).toBe(`${"0".repeat(52)}stdout-final`)
  })

  it("is still running when a wait is over, and takes its descendants with it when killed (14)", async () => {
    const { sh, host } = makeProcessWorld()
    const process = await sh("sleep 100 & echo $!; wait", { stdout: "piped" })
    const [grandchild] = (await lines(process)).map(Number)

    expect(await process.waitFor(50)).toBe("still running")
    expect(host.pidAlive(Number(grandchild))).toBe(true)
    expect(await process.kill()).toEqual({ code: null, signal: "SIGKILL" })
    expect(process.terminationReason).toBe("HardKill")
    await gone(host, Number(grandchild))
  })

  it("that ends when it is asked is not killed (15)", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done", {
      stdout: "piped",
      ...patient
    })
    await lines(process)

    expect(await process.close()).toEqual({ code: 0, signal: null })
    expect(process.terminationReason).toBe("GracefulTerminate")
  })

  it("that does not end when it is asked is killed (16)", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("trap '' TERM; echo ready; while :; do sleep 0.01; done", {
      stdout: "piped",
      graceMs: 100
    })
    await lines(process)

    expect(await process.close()).toEqual({ code: null, signal: "SIGKILL" })
    expect(process.terminationReason).toBe("HardKillAfterGrace")
  })

  it("dies with its descendants when the test that holds it throws (17)", async () => {
    const { sh, host } = makeProcessWorld()
    const pids: Array<number> = []
    const body = async (): Promise<void> => {
      await using process = await sh("sleep 100 & echo $!; wait", { stdout: "piped" })
      pids.push(Number(process.pid), ...(await lines(process)).map(Number))
      throw new Error("the test has failed")
    }

    await expect(body()).rejects.toThrow("the test has failed")
    expect(pids).toHaveLength(2)
    await gone(host, ...pids)
  })

  it("has ended although a descendant in its group holds its output, which dies with it (18)", async () => {
    const { sh, host } = makeProcessWorld()
    const process = await sh("sleep 100 & echo $!; exit 3")

    expect(await process.wait()).toEqual({ code: 3, signal: null })
    await gone(host, Number(process.stdout.text()))
    expect(process.hasDrainTimedOut).toBe(false)
  })

  it.runIf(isLinux)("waits for output that a descendant holds no longer than a second (18)", async () => {
    const { sh, host } = makeProcessWorld()
    const process = await sh("setsid sh -c 'echo $$; exec sleep 100' & read end; exit 3", { stdin: "piped" })
    const left = await writtenPid(process)
    process.endInput()

    expect(await process.wait()).toEqual({ code: 3, signal: null })
    expect(process.hasDrainTimedOut).toBe(true)
    expect(process.stdout.readError()).toContain("drain bound")
    await process.close()
    await gone(host, left)
  })

  it.runIf(isLinux)("takes descendants that left its group with it, unless they are allowed (19)", async () => {
    const { sh, host } = makeProcessWorld()
    const script = "setsid sh -c 'echo $$; exec sleep 100 >/dev/null 2>&1' & wait"
    const strict = await sh(script)
    const lenient = await sh(script, { allowDetached: true })
    const [killed, left] = [await writtenPid(strict), await writtenPid(lenient)]
    await strict.close()
    await lenient.close()

    expect(strict.survivors).toEqual([])
    await gone(host, killed)
    expect(lenient.survivors).toEqual([left])
    expect(host.pidAlive(left)).toBe(true)

    // Allowed to outlive its process, not the test.
    await host.close()
    await gone(host, left)
  })

  it("is not started in a directory or from a program that does not exist (20)", async () => {
    const { host, sh } = makeProcessWorld()
    const noDirectory = await sh("exit 0", { cwd: "/no/such/directory" }).catch((error: unknown) => error)
    const noProgram = await sh("exit 0", { program: "/no/such/program" }).catch((error: unknown) => error)
    const noName = await sh("exit 0", { program: "no-such-program" }).catch((error: unknown) => error)
    const noPermission = await sh("exit 0", { program: "/etc/passwd" }).catch((error: unknown) => error)

    expect(noDirectory).toBeInstanceOf(SpawnCwdMissing)
    expect(String(noDirectory)).toContain("/no/such/directory")
    expect(noProgram).toBeInstanceOf(BinaryNotFound)
    expect(String(noProgram)).toContain("/no/such/program")
    expect(noName).toBeInstanceOf(BinaryNotFound)
    expect(noPermission).toBeInstanceOf(SpawnFailed)
    expect(String(noPermission)).toContain("EACCES")
    expect(host.alive()).toEqual([])
  })

  it("is found by its name in the PATH that it gets", async () => {
    const { host } = makeProcessWorld()
    const process = await host.spawn({
      program: "sh",
      args: ["-c", "exit 5"],
      cwd: "/",
      environment: { PATH: "/nowhere:/bin" }
    })

    expect([await process.wait(), process.label]).toEqual([{ code: 5, signal: null }, "sh"])
  })

  it("shows no secret in its diagnostics, and all in its tail (21)", async () => {
    const { sh } = makeProcessWorld()
    const process = await sh("echo CUSTOM_TOKEN=do-not-print-this-token", { label: "agent" })
    await process.wait()
    expect(await process.waitFor(0)).toEqual(await process.wait())

    expect(process.stdout.text()).toBe("CUSTOM_TOKEN=do-not-print-this-token\n")
    expect(process.diagnostics()).not.toContain("do-not-print-this-token")
    expect(process.diagnostics()).toContain("process agent: pid none, group adopted")
    expect(process.diagnostics()).not.toContain("echo")
  })

  it("gets its variables, its mark, and no other", async () => {
    const { sh, host } = makeProcessWorld()
    const process = await sh("/usr/bin/env", { environment: { A: "1", B: "2" }, overrides: { A: "3", B: null } })
    await process.wait()
    const names = process.stdout
      .text()
      .trim()
      .split("\n")
      .filter((line) => !/^(PWD|SHLVL|_)=/.test(line))

    expect(names.sort()).toEqual(["A=3", `HARNESS_OWNER=${host.runId}:1`])
  })

  it.runIf(isLinux)("leads a session and a group of its own, without a terminal", async () => {
    const { sh } = makeProcessWorld()
    const child = await sh("cat /proc/$$/stat")
    const pid = Number(child.pid)
    await child.wait()
    const [group, session, terminal] = child.stdout.text().split(") ")[1]?.split(" ").slice(2, 5).map(Number) ?? []

    expect([group, session, terminal]).toEqual([pid, pid, 0])
    expect(readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ")[2]).not.toBe(String(pid))
  })
})

describe("whether a process is alive", () => {
  it("is false for what is no process (23)", () => {
    const { host } = makeProcessWorld()

    expect([0, -1, 2 ** 31 - 1, 1.5, Number.NaN].map((pid) => host.pidAlive(pid))).toEqual(Array(5).fill(false))
    expect([process.pid, 1].map((pid) => host.pidAlive(pid))).toEqual([true, true])
  })

  it.runIf(isLinux)("is false for one that has ended and was not taken off (23)", async () => {
    const { node, host } = makeProcessWorld()
    // A shell that is replaced by a program which never asks what became of its child, which ends after that.
    const process = await node(
      `import { spawn } from "node:child_process"
       spawn("/bin/sh", ["-c", "exec 3<&0; (read -r go <&3) & echo $$ $!; exec sleep 100"], { stdio: ["inherit", "inherit", "ignore"] })`,
      { stdin: "piped", stdout: "piped" }
    )
    const [line = ""] = await lines(process)
    const [shell, zombie] = line.split(" ")
    while (!readFileSync(`/proc/${shell}/cmdline`, "utf8").startsWith("sleep"))
      await new Promise((resolve) => setTimeout(resolve, 5))
    await process.write("go\n")
    await gone(host, Number(zombie))

    expect(readFileSync(`/proc/${zombie}/stat`, "utf8")).toContain(") Z ")
    expect(host.pidAlive(Number(zombie))).toBe(false)
  })
})
