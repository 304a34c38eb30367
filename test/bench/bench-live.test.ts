import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { checkBlocks } from "../../bench/live/proxy/check-blocks.ts"
import { frameBlocks } from "../../bench/live/proxy/frame-blocks.ts"
import { rows } from "../../bench/live/rows.ts"
import type { MeasuredRow } from "../../bench/shared/report/table.ts"

/*
 * The benchmark as it is run, on tiny sizes: what is right about it, and nothing about speed. Seen to fail when a pump leaves out the
 * first byte of a run (wrong bytes), when it does not tell its source to pause (the sender does not have to wait), and, below, when the
 * check does not count blocks.
 */

const root = fileURLToPath(new URL("../..", import.meta.url))

const minutes = 60_000

describe("npm run bench", () => {
  let out = ""
  let stdout = ""
  let status: number | null = null
  let kept: ReadonlyArray<MeasuredRow>

  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), "understudy-bench-"))
    const args = ["bench/live/run.mjs", "--quick", "--out", out]
    const ran = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
    ;({ stdout, status } = ran)
    if (!existsSync(join(out, "results/live.json"))) throw new Error(`nothing is kept, status ${status}: ${ran.stderr}`)
    kept = JSON.parse(readFileSync(join(out, "results/live.json"), "utf8"))
  }, 20 * minutes)

  afterAll(() => rmSync(out, { recursive: true, force: true }))

  test("finds what came through right in every row, and exits with 0 whether bars are met or not", () => {
    expect(kept.flatMap(({ id, result }) => result.problems.map((problem) => `${id}: ${problem}`))).toEqual([])
    expect(kept.map(({ id }) => id)).toEqual(Object.keys(rows))
    for (const { id, result } of kept) expect(result.figures.length, id).toBeGreaterThan(0)
    expect(status).toBe(0)
  })

  test("prints the table that it keeps", () => {
    expect(stdout).toBe(readFileSync(join(out, "RESULTS.md"), "utf8"))
    for (const { title } of Object.values(rows)) expect(stdout).toContain(`| **${title}** |`)
  })
})

describe("The frames that the benchmark sends", () => {
  const bodyBytes = 100
  const { frameBytes, framesEach, make, number } = frameBlocks(bodyBytes)

  const blocks = (count: number): Buffer =>
    Buffer.concat(
      Array.from({ length: count }, (_, place) => {
        const block = make()
        number(block, place)
        return block
      })
    )

  /** Where the check finds the first wrong byte of a stream that comes in pieces. */
  const wrongAt = (stream: Buffer, pieceBytes = 65_536): number | null => {
    const check = checkBlocks(bodyBytes)
    for (let at = 0; at < stream.length; at += pieceBytes) check.take(stream.subarray(at, at + pieceBytes))
    expect(check.bytes()).toBe(stream.length)
    return check.wrongAt()
  }

  test("are JSON behind their length, and all different in their block", () => {
    const stream = blocks(1)
    const bodies = Array.from({ length: framesEach }, (_, frame) => {
      const at = frame * frameBytes
      expect(stream.readUInt32BE(at)).toBe(bodyBytes)
      return stream.toString("latin1", at + 4, at + frameBytes)
    })

    expect(new Set(bodies).size).toBe(framesEach)
    for (const body of bodies) expect(JSON.parse(body)).toMatchObject({ jsonrpc: "2.0", method: "bench" })
  })

  test.each([1_000, 65_536, 1_000_000])("are right as they are, in pieces of %d bytes", (pieceBytes) => {
    expect(wrongAt(blocks(3), pieceBytes)).toBeNull()
  })

  test("are found wrong when one byte is, when a frame is missing or there twice, and when blocks change places", () => {
    const stream = blocks(3)
    const changed = Buffer.from(stream)
    changed[5_000] = 0
    const without = (from: number, bytes: number): Buffer =>
      Buffer.concat([stream.subarray(0, from), stream.subarray(from + bytes)])
    const block = framesEach * frameBytes
    const frame = 700 * frameBytes

    expect(wrongAt(changed)).toBe(5_000)
    expect(wrongAt(without(frame, frameBytes))).not.toBeNull()
    expect(wrongAt(Buffer.concat([stream.subarray(0, frame), stream.subarray(frame - frameBytes)]))).not.toBeNull()
    expect(wrongAt(without(0, block))).not.toBeNull()
    expect(wrongAt(without(block, block))).not.toBeNull()
  })
})
