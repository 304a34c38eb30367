/**
 * How paths of one kind of operating system are put together and taken apart; texts alone, no file is looked at.
 *
 * @since 0.1.0
 * @category models
 */
export interface FilePaths {
  /** What stands between two folders: `/` or `\`. */
  readonly separator: string
  /** What stands between two entries of `PATH`: `:` or `;`. */
  readonly delimiter: string
  isAbsolute(path: string): boolean
  /** One path, without `.` and, as far as there is something before it, without `..`. */
  join(...parts: ReadonlyArray<string>): string
  /** An absolute path: `path` itself where it is one, else from `base`, which is absolute. */
  resolve(base: string, path: string): string
  /** The folder that a path is in; `.` for a bare name. */
  folderOf(path: string): string
  /** What follows the last separator. */
  nameOf(path: string): string
  /** Whether an absolute path is `folder`, which is absolute too, or lies below it. */
  isWithin(folder: string, path: string): boolean
}

/**
 * Paths of Windows, or of everything else.
 *
 * @since 0.1.0
 * @category constructors
 */
export const filePathsOf = (platform: string): FilePaths => (platform === "win32" ? windowsPaths : posixPaths)

interface Flavour {
  readonly separator: string
  readonly delimiter: string
  readonly separators: RegExp
  /** The part of a path that no `..` leaves, as in `/` or `C:\`; its first group is empty for a relative path. */
  readonly root: RegExp
}

const makePaths = ({ separator, delimiter, separators, root }: Flavour): FilePaths => {
  const split = (path: string) => {
    const found = root.exec(path)?.[0] ?? ""
    return { root: found.replaceAll("/", separator), names: path.slice(found.length).split(separators) }
  }
  const isAbsolute = (path: string): boolean => (root.exec(path)?.[0] ?? "") !== ""
  const join = (...parts: ReadonlyArray<string>): string => {
    const path = split(parts.filter((part) => part !== "").join(separator))
    const names = withoutDots(path.names, { isRooted: path.root !== "" })
    return `${path.root}${names.join(separator)}` || "."
  }
  const resolve = (base: string, path: string): string => (isAbsolute(path) ? join(path) : join(base, path))
  const cutAt = (path: string): number => {
    const normal = join(path)
    return normal.lastIndexOf(separator)
  }
  return {
    separator,
    delimiter,
    isAbsolute,
    join,
    resolve,
    folderOf(path) {
      const normal = join(path)
      const rootLength = split(normal).root.length
      const at = cutAt(normal)
      return at < 0 ? "." : normal.slice(0, Math.max(at, rootLength))
    },
    nameOf: (path) => join(path).slice(cutAt(path) + 1),
    isWithin(folder, path) {
      const outer = join(folder)
      const inner = join(path)
      return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : `${outer}${separator}`)
    }
  }
}

const withoutDots = (names: ReadonlyArray<string>, { isRooted }: { readonly isRooted: boolean }): Array<string> => {
  const kept: Array<string> = []
  for (const name of names) {
    if (name === "" || name === ".") continue
    if (name !== "..") kept.push(name)
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop()
    else if (!isRooted) kept.push(name)
  }
  return kept
}

const posixPaths = makePaths({ separator: "/", delimiter: ":", separators: /\/+/, root: /^\/?/ })

const windowsPaths = makePaths({
  separator: "\\",
  delimiter: ";",
  separators: /[\\/]+/,
  root: /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+[\\/]?|[\\/])?/
})
