import { existsSync, linkSync, readFileSync, readlinkSync, symlinkSync } from "node:fs"
import { afterEach, describe, expect, test } from "vitest"
import { finish, start, stopAll } from "./fake-io.ts"
import { askAt, echoAt } from "./proxy-peers.ts"
import { takenPort } from "./taken-port.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()
let places = 0
const freshPath = (): string => folder.path(`${++places}.sock`)

afterEach(stopAll)

describe("understudy proxy does not begin", () => {
  const refusal = async (...argv: ReadonlyArray<string>): Promise<string> => {
    const { code, out, err } = await finish("proxy", ...argv)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    return err
  }

  test("where somebody listens, or something stands that is no socket", async () => {
    const [front, up] = [freshPath(), freshPath()]
    await echoAt(up)
    await start(["proxy", "--listen", front, "--upstream", up, "--framing", "ndjson"]).out.record("ready")
    const file = folder.write("file.sock", "text")

    expect(await refusal("--listen", front, "--upstream", "./up.sock")).toMatch(
      /^understudy: cannot listen at .*: somebody accepts connections .*; give --listen another path or port/
    )
    expect(await refusal("--listen", file, "--upstream", "./up.sock")).toContain("is there, and is no socket")
    expect(readFileSync(file, "utf8")).toBe("text")
    expect(await askAt(front, "one\n")).toBe("one\n")
  })

  test("at a path that is too long, or in a folder that is missing", async () => {
    const long = folder.path(`${"x".repeat(120)}.sock`)

    expect(await refusal("--listen", long, "--upstream", "./up.sock")).toMatch(
      /at most 10[37] are allowed: .*; give a shorter one$/
    )
    expect(await refusal("--listen", "./front.sock", "--upstream", long)).toMatch(/at most 10[37] are allowed/)
    expect(existsSync("front.sock")).toBe(false)
    expect(await refusal("--listen", folder.path("none/a.sock"), "--upstream", "./up.sock")).toContain("ENOENT")
  })

  test("without its control socket, and leaves nothing then", async () => {
    const front = freshPath()
    const port = await takenPort()

    expect(await refusal("--listen", front, "--upstream", "./up.sock", "--control", `tcp:127.0.0.1:${port}`)).toMatch(
      /^understudy: cannot listen at tcp:127\.0\.0\.1:\d+: .*EADDRINUSE.*; give --control another path or port/
    )
    expect(existsSync(front)).toBe(false)
  })

  test("when a file that it is to write cannot be written", async () => {
    const none = folder.path("none/file.jsonl")
    const ends = ["--listen", freshPath(), "--upstream", "./up.sock"]

    expect(await refusal(...ends, "--trace", none)).toContain("cannot write the trace ")
    expect(await refusal(...ends, "--record", none)).toMatch(
      /^understudy: cannot write the recording .*there is no folder /
    )
    expect(await refusal(...ends, "--record", folder.path("."))).toContain("it is a folder; give --record a file")
    // Seen to be told as a defect of ours.
    symlinkSync(folder.path("loop"), folder.path("loop"))
    expect(await refusal(...ends, "--record", folder.path("loop"))).toMatch(
      /^understudy: cannot write the recording .*ELOOP/
    )
  })

  // Seen to fail while the recording was emptied before anything listened.
  test("and a recording of before stays what it was then; one that was not there is not left", async () => {
    const place = folder.write("stands.sock", "no socket")
    const [kept, made] = [folder.write("kept.jsonl", "of another run"), folder.path("made.jsonl")]

    for (const record of [kept, made])
      expect(await refusal("--listen", place, "--upstream", "./up.sock", "--record", record)).toContain("no socket")
    expect(readFileSync(kept, "utf8")).toBe("of another run")
    expect(existsSync(made)).toBe(false)
  })

  // Seen to fail while the link was removed, and the file that it had made stayed.
  test("and a link to a recording that was not there stays one to nothing", async () => {
    const [link, target] = [folder.path("to-nothing.jsonl"), folder.path("nothing.jsonl")]
    symlinkSync(target, link)
    const place = folder.write("stands.sock", "no socket")

    await refusal("--listen", place, "--upstream", "./up.sock", "--record", link)

    expect(readlinkSync(link)).toBe(target)
    expect(existsSync(target)).toBe(false)
  })

  // Seen to fail for each pair while the paths alone were compared, before the files were there.
  test("when trace and recording are one file through names that tell nothing of it", async () => {
    const [there, name] = [folder.write("two-names.jsonl", "text"), folder.path("other-name.jsonl")]
    linkSync(there, name)
    const [target, link] = [folder.path("made.jsonl"), folder.path("to-made.jsonl")]
    symlinkSync(target, link)

    for (const [trace, record] of [
      [there, name],
      [target, link],
      [link, target]
    ] as const) {
      const listen = freshPath()
      const said = await refusal("--listen", listen, "--upstream", "./up.sock", "--trace", trace, "--record", record)
      expect(said).toContain("--trace and --record name one file")
      expect(existsSync(listen)).toBe(false)
    }
    expect(readFileSync(there, "utf8")).toBe("text")
  })

  test("when trace and recording are one file, under two names too", async () => {
    const file = folder.path("one.jsonl")
    const link = folder.path("link.jsonl")
    symlinkSync(folder.write("there.jsonl", "text"), link)
    const ends = ["--listen", freshPath(), "--upstream", "./up.sock"]

    for (const [trace, record] of [
      [file, `${folder.path(".")}/./one.jsonl`],
      [folder.path("there.jsonl"), link]
    ] as const) {
      expect(await refusal(...ends, "--trace", trace, "--record", record)).toBe(
        `understudy: --trace and --record name one file, ${JSON.stringify(record)}; give one of them another`
      )
    }
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(link, "utf8")).toBe("text")
  })
})
