/**
 * Something that was asked of a file port did not work.
 *
 * @since 0.1.0
 * @category errors
 */
export class FileFailure extends Error {
  readonly _tag = "FileFailure"
  /** The code of the operating system, as in `ENOENT`. */
  readonly code: string
  readonly path: string
  constructor(message: string, options: { readonly code: string; readonly path: string; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = "FileFailure"
    this.code = options.code
    this.path = options.path
  }
}
