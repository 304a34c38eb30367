import { posix, win32 } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { filePathsOf } from "../../src/domain/file-paths.ts"

const piece = fc.constantFrom("a", "b.c", "..", ".", "", "d e")
const relative = fc.array(piece, { minLength: 1, maxLength: 6 }).map((names) => names.join("/"))
const absolute = relative.map((path) => `/${path}`)

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/(?<!^)\/$/, "") : path)

describe("paths of Linux and macOS", () => {
  const paths = filePathsOf("linux")

  test("are joined and resolved as Node does it", () => {
    fc.assert(
      fc.property(absolute, fc.oneof(relative, absolute), (base, path) => {
        expect(paths.join(base, path)).toBe(trimmed(posix.join(base, path)))
        expect(paths.resolve(base, path)).toBe(posix.resolve(base, path))
        expect(paths.isAbsolute(path)).toBe(posix.isAbsolute(path))
      })
    )
  })

  test("are taken apart as Node does it, once they are normal", () => {
    fc.assert(
      fc.property(fc.oneof(relative, absolute), (path) => {
        const normal = trimmed(posix.normalize(path))

        expect(paths.join(path)).toBe(normal)
        expect(paths.folderOf(path)).toBe(posix.dirname(normal))
        expect(paths.nameOf(path)).toBe(posix.basename(normal))
      })
    )
  })

  test("lie in a folder when a folder is where they begin, whatever their letters", () => {
    expect(paths.isWithin("/a/b", "/a/b")).toBe(true)
    expect(paths.isWithin("/a/b", "/a/b/c")).toBe(true)
    expect(paths.isWithin("/", "/a")).toBe(true)
    expect(paths.isWithin("/a/b", "/a/bc")).toBe(false)
    expect(paths.isWithin("/a/b", "/a/b/../c")).toBe(false)
  })
})

describe("paths of Windows", () => {
  const paths = filePathsOf("win32")

  test.each([
    ["C:\\a", "b\\c"],
    ["C:\\a\\b", "..\\c"],
    ["C:/a", "./b/../c"],
    ["C:\\a", "D:\\b"],
    ["\\\\host\\share\\a", "b"],
    ["C:\\", "..\\..\\a"]
  ])("resolve %s and %s as Node does", (base, path) => {
    expect(paths.resolve(base, path)).toBe(win32.resolve(base, path))
  })

  test("know a drive from a relative path", () => {
    expect(paths.isAbsolute("C:\\a")).toBe(true)
    expect(paths.isAbsolute("a\\b")).toBe(false)
    expect(paths.folderOf("C:\\a\\b")).toBe("C:\\a")
    expect(paths.nameOf("C:\\a\\b.exe")).toBe("b.exe")
    expect(paths.delimiter).toBe(";")
  })
})
