import { afterEach, describe, expect, test } from "vitest"
import { faultsOptions } from "../../src/cli/faults-options.ts"
import { finish, stopAll } from "./fake-io.ts"
import { tempFolder } from "./temp-folder.ts"

/* fault-server.md, sections 4.1 to 4.3, and scenarios 38, 39, 44 and 47: nothing here opens a port. */

const folder = tempFolder()

afterEach(stopAll)

/** Runs a command line that must be refused, and gives the message above the usage. */
const refusal = async (...argv: ReadonlyArray<string>): Promise<string> => {
  const { code, out, err } = await finish("faults", ...argv)
  expect({ argv, code, out }).toEqual({ argv, code: 1, out: "" })
  const [message = "", empty, usage = ""] = err.split("\n")
  expect(empty).toBe("")
  expect(usage).toMatch(/^Usage: understudy faults /)
  return message
}

const expectWords = async (argv: ReadonlyArray<string>, words: ReadonlyArray<string>): Promise<void> => {
  const message = await refusal(...argv)
  for (const word of words) expect(message, argv.join(" ")).toContain(word)
}

const ok = ["--sequence", "success"]
const random = ["--sequence", "random"]
const bounds = (name: string, least: number, most: number) => [name, "integer between", String(least), String(most)]
const delayMax = 2_147_483_647

describe("the command line of understudy faults is refused with its first problem:", () => {
  test.each<[kind: string, argv: ReadonlyArray<string>, words: ReadonlyArray<string>]>([
    ["unknown option", [...ok, "--wat"], ["--wat"]],
    ["unknown option", [...ok, "-h"], ["-h"]],
    ["unknown option", [...ok, "--chunksize", "8"], ["--chunksize", "--chunk-size"]],
    ["missing value", [...ok, "--port"], ["--port"]],
    ["ambiguous value", [...random, "--seed", "-1"], ["--seed"]],
    ["ambiguous value", [...ok, "--success-text", "--port"], ["--success-text"]],
    ["flag with value", [...ok, "--repeat-last=true"], ["--repeat-last"]],
    ["flag with value", [...ok, "--help=true"], ["--help"]],
    ["positional", [...ok, "stray"], ["stray"]],
    ["positional", [...ok, "--", "--port"], ["--port"]],
    ["positional", ["profile", "mend"], ['"profile"', '"understudy faults profile fit FILE"']],
    ["positional", ["profile"], ['"understudy faults profile fit FILE"']],
    ["positional", ["lists"], ['"lists"', '"understudy faults list"']],
    ["positional", ["rate_limit,success"], ['"understudy faults --sequence rate_limit,success"']],
    ["positional", ["nonsense"], ['"nonsense"', "understudy faults list", "understudy faults simulate"]],
    ["ending behind its number", ["--sequence", "connection_reset*2:rst"], ["write connection_reset:rst*2"]],
    ["not a number", [...ok, "--port", "NaN"], ["--port", "finite number"]],
    ["not a number", [...ok, "--port="], ["--port", "finite number"]],
    ["not a number", [...ok, "--port", "0x10"], ["--port", "finite number"]],
    ["not a number", [...ok, "--port", "1e3"], ["--port", "finite number"]],
    ["not a number", [...ok, "--port", " 80"], ["--port", "finite number"]],
    ["not a number", [...ok, "--chunk-size", "x"], ["--chunk-size", "finite number"]],
    ["not a number", [...ok, "--chunk-size", "1.0"], ["--chunk-size", "finite number"]],
    ["not a number", [...ok, "--chunk-delay-ms=-0"], ["--chunk-delay-ms", "finite number"]],
    ["not a number", [...ok, "--chunk-delay-ms", "Infinity"], ["--chunk-delay-ms", "finite number"]],
    ["not a number", [...ok, "--chunk-delay-ms", "9".repeat(400)], ["--chunk-delay-ms", "finite number"]],
    ["not a number", [...random, "--random-weights", "success=nope"], ["--random-weights", "finite number"]],
    ["not a number", [...random, "--random-weights", "success=Infinity"], ["--random-weights", "finite number"]],
    ["out of range", [...ok, "--listen-delay-ms=-1"], bounds("--listen-delay-ms", 0, delayMax)],
    ["out of range", [...ok, "--listen-delay-ms", "1.5"], bounds("--listen-delay-ms", 0, delayMax)],
    ["out of range", [...ok, "--listen-delay-ms", "2147483648"], bounds("--listen-delay-ms", 0, delayMax)],
    ["out of range", [...ok, "--port", "70000"], bounds("--port", 0, 65_535)],
    ["out of range", [...random, "--seed=-1"], bounds("--seed", 0, 4_294_967_295)],
    ["out of range", [...random, "--seed", "4294967296"], bounds("--seed", 0, 4_294_967_295)],
    ["out of range", [...ok, "--chunk-size", "0"], bounds("--chunk-size", 1, Number.MAX_SAFE_INTEGER)],
    ["out of range", [...ok, "--chunk-size", "9007199254740992"], bounds("--chunk-size", 1, Number.MAX_SAFE_INTEGER)],
    ["out of range", [...ok, "--chunk-delay-ms=-1"], bounds("--chunk-delay-ms", 0, delayMax)],
    ["out of range", [...ok, "--disconnect-delay-ms", "2147483648"], bounds("--disconnect-delay-ms", 0, delayMax)],
    ["out of range", [...ok, "--retry-after-ms", "0"], bounds("--retry-after-ms", 1, delayMax)],
    ["out of range", [...ok, "--head-delay-ms", "1.5"], bounds("--head-delay-ms", 0, delayMax)],
    ["out of range", [...ok, "--heartbeat-ms", "0"], bounds("--heartbeat-ms", 1, delayMax)],
    ["out of range", [...ok, "--context-window", "0"], bounds("--context-window", 1, Number.MAX_SAFE_INTEGER - 1)],
    ["out of range", [...ok, "--cut-after-events=-1"], bounds("--cut-after-events", 0, Number.MAX_SAFE_INTEGER)],
    ["out of range", [...ok, "--cut-after-bytes=-1"], bounds("--cut-after-bytes", 0, Number.MAX_SAFE_INTEGER)],
    ["out of range", [...ok, "--max-body-bytes", "1073741825"], bounds("--max-body-bytes", 0, 1_073_741_824)],
    ["sequence missing", [], ["--sequence", "required"]],
    ["sequence missing", ["--port", "0"], ["--sequence", "required"]],
    ["empty entry", ["--sequence", "success,"], ["non-empty"]],
    ["empty entry", ["--sequence", ""], ["non-empty"]],
    ["refused not first", ["--sequence", "success,connection_refused"], ["connection_refused", "first"]],
    ["refused twice", ["--sequence", "connection_refused,connection_refused,success"], ["connection_refused", "first"]],
    ["refused alone", ["--sequence", "connection_refused"], ["followed"]],
    ["refused alone", ["--sequence", "connection_refused:5"], ["followed"]],
    ["refused at the end", ["--sequence", "success,connection_refused:5"], ["connection_refused", "ends"]],
    ["refused, but how long", ["--sequence", "connection_refused:x,success"], ["connection_refused:x", "milliseconds"]],
    ["refused too long", ["--sequence", `connection_refused,connection_refused:${delayMax},success`], ["most"]],
    ["refused repeatedly", ["--sequence", "connection_refused:5*2,success"], ["connection_refused", "*"]],
    ["unknown behaviour", ["--sequence", "unknown"], ['"unknown"']],
    ["unknown behaviour", ["--sequence", "script_exhausted"], ['"script_exhausted"']],
    ["unknown behaviour", ["--sequence", "sucess"], ['"sucess"', '"success"']],
    ["unknown ending", ["--sequence", "stall:hard"], ["stall:hard", ":rst"]],
    ["no repetition", ["--sequence", "stall*0"], ["stall*0"]],
    [
      "refused with port 0",
      ["--sequence", "connection_refused,success", "--port", "0"],
      ["connection_refused", "nonzero"]
    ],
    [
      "refused with port 0",
      ["--sequence", "connection_refused:5,stall", "--port=0"],
      ["connection_refused", "nonzero"]
    ],
    ["delay without refused", [...ok, "--listen-delay-ms", "5"], ["--listen-delay-ms", "connection_refused"]],
    [
      "delay with the timed form",
      ["--sequence", "connection_refused:5,success", "--listen-delay-ms", "5"],
      ["--listen-delay-ms", "connection_refused"]
    ],
    ["seed without random", [...ok, "--seed", "1"], ["random", "--seed"]],
    ["weights without random", [...ok, "--random-weights", "success=1"], ["random", "--random-weights"]],
    ["profile without random", [...ok, "--profile", "calm"], ["random", "--profile"]],
    ["keyed without random", [...ok, "--keyed"], ["random", "--keyed"]],
    ["weight syntax", [...random, "--random-weights", "success"], ["behavior=weight"]],
    ["weight syntax", [...random, "--random-weights", "success="], ["behavior=weight"]],
    ["weight syntax", [...random, "--random-weights", "=1"], ["behavior=weight"]],
    ["weight syntax", [...random, "--random-weights", "success=1=2"], ["behavior=weight"]],
    ["weight syntax", [...random, "--random-weights", ""], ["behavior=weight"]],
    ["weight name", [...random, "--random-weights", "random=1"], ["concrete", '"random"']],
    ["weight name", [...random, "--random-weights", "connection_refused=1"], ["concrete", '"connection_refused"']],
    ["weight name", [...random, "--random-weights", "unknown=1"], ["concrete", '"unknown"']],
    ["weight name", [...random, "--random-weights", "success=1, empty=1"], ["concrete", '" empty"']],
    ["weight duplicate", [...random, "--random-weights", "success=1,success=2"], ["duplicate", "success"]],
    ["weight negative", [...random, "--random-weights", "success=-1"], ["non-negative", "success"]],
    ["weights all zero", [...random, "--random-weights", "success=0"], ["positive weight"]],
    ["empty text", [...ok, "--host="], ["--host", "empty"]],
    ["empty text", [...ok, "--api-key", ""], ["--api-key", "empty"]],
    ["empty text", [...ok, "--success-text="], ["--success-text", "empty"]],
    ["empty text", [...ok, "--partial-text="], ["--partial-text", "empty"]],
    ["empty text", [...ok, "--reasoning-text="], ["--reasoning-text", "empty"]],
    ["empty text", [...ok, "--tool-name="], ["--tool-name", "empty"]],
    ["empty text", [...ok, "--request-id="], ["--request-id", "empty"]],
    ["tool arguments", [...ok, "--tool-arguments", "{"], ["--tool-arguments", "valid JSON"]],
    ["tool arguments", [...ok, "--tool-arguments="], ["--tool-arguments", "valid JSON"]],
    ["unknown word", [...ok, "--reset-mode", "hard"], ["--reset-mode", '"hard"', "rst"]],
    ["unknown word", [...ok, "--chunk-shape", "full"], ["--chunk-shape", "complete"]],
    ["unknown word", [...ok, "--usage-placement", "x"], ["--usage-placement", "attached"]],
    ["unknown word", [...ok, "--streaming", "x"], ["--streaming", "strict"]],
    ["unknown word", [...ok, "--telemetry", "ful"], ["--telemetry", '"full"']],
    ["unknown word", [...ok, "--fault-header", "x"], ["--fault-header", "on"]],
    ["unknown format", [...ok, "--formats", "chat,mesages"], ["--formats", '"mesages"', '"messages"']],
    ["unknown rule", [...ok, "--lane-by", "path,cookie"], ["--lane-by", '"cookie"', "header:NAME"]],
    ["unknown profile", [...random, "--profile", "strss"], ["--profile", '"strss"', '"stress"']],
    ["absent profile", [...random, "--profile", "./none.json"], ["--profile", "none.json", "ENOENT"]],
    [
      "two meanings",
      [...random, "--profile", "calm", "--random-weights", "success=1"],
      ["--profile", "--random-weights"]
    ],
    ["lanes without rule", [...ok, "--per-lane"], ["--per-lane", "--lane-by"]],
    ["strict without lanes", [...ok, "--lane-by", "path", "--strict-lanes"], ["--strict-lanes", "--script"]],
    ["ports without lanes", [...ok, "--lane-port"], ["--lane-port", "--script"]],
    [
      "one refused for all",
      ["--sequence", "success,connection_refused:5,success", "--lane-by", "path"],
      ["connection_refused", "--lane-port"]
    ]
  ])("%s: %j", async (_, argv, words) => {
    await expectWords(argv, words)
  })

  test("without any argument it says what is required, and how it is used", async () => {
    expect(await refusal()).toBe("understudy faults: --sequence is required, for example --sequence rate_limit,success")
  })

  test("never repeats the key", async () => {
    const { err } = await finish("faults", "--sequence", "succes", "--api-key", "s3cret")

    expect(err).not.toContain("s3cret")
  })
})

describe("of several problems understudy faults tells", () => {
  // Each of these is found before all that follow.
  const inOrder: ReadonlyArray<readonly [words: ReadonlyArray<string>, found: string]> = [
    [["--wat"], "--wat"],
    [["--port", "x"], "--port"],
    [["--listen-delay-ms", "99999999999"], "--listen-delay-ms"],
    [["--seed", "x"], "--seed"],
    [["--random-weights", "x"], "--random-weights"],
    [["--chunk-size", "x"], "--chunk-size"],
    [["--chunk-delay-ms", "x"], "--chunk-delay-ms"],
    [["--disconnect-delay-ms", "x"], "--disconnect-delay-ms"],
    [["--retry-after-ms", "x"], "--retry-after-ms"],
    [["--sequence", "success,connection_refused,bogus"], "connection_refused may only come first"]
  ]

  const laterOnes = inOrder.map(([, found], index) => ({
    found,
    argv: [...inOrder.slice(index)].reverse().flatMap(([words]) => words)
  }))

  test.each(laterOnes)("$found before what is found later: $argv", async ({ found, argv }) => {
    expect(await refusal(...argv)).toContain(found)
  })

  test.each<[found: string, argv: ReadonlyArray<string>]>([
    ["nonzero", ["--sequence", "connection_refused,success", "--port", "0", "--seed", "1", "--chunk-size", "0"]],
    ["--listen-delay-ms", [...ok, "--listen-delay-ms", "5", "--seed", "1", "--port", "70000"]],
    ["random", [...ok, "--seed", "1", "--port", "70000"]],
    ["--port", [...ok, "--port", "70000", "--chunk-size", "0", "--host="]],
    ["--chunk-size", [...ok, "--chunk-size", "0", "--chunk-delay-ms=-1", "--host="]],
    ["--chunk-delay-ms", [...ok, "--chunk-delay-ms=-1", "--disconnect-delay-ms=-1"]],
    ["--disconnect-delay-ms", [...ok, "--disconnect-delay-ms=-1", "--retry-after-ms", "0"]],
    ["--retry-after-ms", [...random, "--retry-after-ms", "0", "--seed=-1"]],
    ["--seed", [...random, "--seed=-1", "--host="]],
    ["--host", [...ok, "--host=", "--api-key="]],
    ["--api-key", [...ok, "--api-key=", "--success-text="]],
    ["--success-text", [...ok, "--success-text=", "--partial-text="]],
    ["--partial-text", [...ok, "--partial-text=", "--reasoning-text="]],
    ["--reasoning-text", [...ok, "--reasoning-text=", "--tool-name="]],
    ["--tool-name", [...ok, "--tool-name=", "--request-id="]],
    ["--request-id", [...ok, "--request-id=", "--tool-arguments="]],
    ["--tool-arguments", [...random, "--tool-arguments=", "--random-weights", "success=0"]]
  ])("%s first: %j", async (found, argv) => {
    expect(await refusal(...argv)).toContain(found)
  })

  test("the value of an option before a phase in which the port refuses", async () => {
    const argv = ["--sequence", "connection_refused,success", "--listen-delay-ms", "99999", "--chunk-size", "0"]

    expect(await refusal(...argv)).toContain("--chunk-size")
  })

  test("the last of a repeated option alone", async () => {
    expect(await refusal("--sequence", "bogus", ...ok, "--chunk-size", "0")).toContain("--chunk-size")
  })
})

describe("understudy faults --help", () => {
  test.each([
    { argv: ["--help"] },
    { argv: ["--port", "--help"] },
    { argv: ["--wat", "stray", "--chunk-size", "0", "--help"] },
    { argv: ["--", "--help"] }
  ])("is answered wherever it stands: $argv", async ({ argv }) => {
    const { code, out, err } = await finish("faults", ...argv)

    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toMatch(/^Usage: understudy faults /)
  })

  test("shows every option, and an example of each kind", async () => {
    const { out } = await finish("faults", "--help")

    expect(Object.keys(faultsOptions).filter((name) => !new RegExp(`^  --${name}( |$)`, "m").test(out))).toEqual([])
    expect(out).toContain("understudy faults --port 0 --sequence partial_disconnect,success")
  })

  test("is more than what follows the message of a bad command line, which stays on the screen", async () => {
    const { out } = await finish("faults", "--help")
    const { err } = await finish("faults")

    const usage = err.slice(err.indexOf("Usage:"))
    expect(out.split("\n")[0]).toBe(usage.split("\n")[0])
    expect(err.split("\n").length).toBeLessThan(15)
    expect(err).toContain("understudy faults --help")
  })

  test("agrees with the message about a sequence beside a script, and tells the order of records", async () => {
    const { out } = await finish("faults", "--help")
    const { err } = await finish("faults", "--sequence", "success", "--script", "any.json")

    expect(out).toContain("The file stands in the place of --sequence, which cannot be given as well.")
    expect(err).toContain("--sequence and --script both say what requests get; give one of them")
    expect(out).toContain('"unavailable" comes first of all and "ready" in the place of "available"')
  })

  test("fits a wide terminal", async () => {
    const { out } = await finish("faults", "--help")

    expect(out.split("\n").filter((line) => line.length > 130)).toEqual([])
  })

  test("shows the version like every command", async () => {
    expect(await finish("faults", "--version")).toEqual(await finish("--version"))
  })
})

test("a file that is no script is refused like a bad option", async () => {
  expect(await refusal("--script", folder.write("broken.json", '{ "version": 1,\n  "sequence": [,] }'))).toMatch(
    /broken\.json:2:16 is no JSON/
  )
})
