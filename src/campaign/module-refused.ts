/**
 * A module of programs cannot be used: it is not there, it throws, or it exports nothing of the kind. The message says what was
 * asked, what is there and what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class ModuleRefused extends Error {
  readonly _tag = "ModuleRefused"
  constructor(message: string) {
    super(message)
    this.name = "ModuleRefused"
  }
}
