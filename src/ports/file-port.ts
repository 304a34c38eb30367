/**
 * The files of a machine, as both worlds offer them. Paths are absolute. What cannot be done rejects with a `FileFailure`.
 *
 * @since 0.1.0
 * @category services
 */
export interface FilePort {
  /** What stands at a path, behind links; `null` when nothing does, or nothing that can be reached. */
  stat(path: string): Promise<FileStat | null>
  /** The absolute path of what stands at a path, without links; `null` when nothing does. */
  realPath(path: string): Promise<string | null>
  /** At most `bytesMax` bytes from the beginning of a file. */
  readStart(path: string, bytesMax: number): Promise<Uint8Array>
  readText(path: string): Promise<string>
  /** Writes a whole file, over what was there. */
  writeText(path: string, text: string): Promise<void>
  /** Makes a folder and those that it is in; one that is there is left as it is. */
  makeFolder(path: string): Promise<void>
  /** Makes a folder whose name begins with `prefix` and is nobody else's, for the owner alone. Gives its path. */
  makeFreshFolder(parent: string, prefix: string): Promise<string>
  /** The names in a folder, sorted. */
  list(folder: string): Promise<ReadonlyArray<string>>
  /** Removes a file, or a folder with all that is in it; nothing that a link leads to. Nothing there is fine. */
  remove(path: string): Promise<void>
}

/** @since 0.1.0 @category models */
export interface FileStat {
  readonly kind: "file" | "folder" | "other"
  /** Whether the file may be run by somebody; always true where the system does not say. */
  readonly isExecutable: boolean
}
