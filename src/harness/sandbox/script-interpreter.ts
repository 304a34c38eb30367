import { BinaryNotFound } from "../../domain/harness-errors.ts"
import { findOnPath, type PathSearch } from "./find-on-path.ts"

const scriptEndings = /\.(?:[cm]?[jt]s|py|rb|sh)$/i

/**
 * What a file has to be started with: nothing when it is no script, or the profile names no interpreter.
 *
 * **Gives** an absolute path; that of `ownInterpreter` where `PATH` has none
 * **Fails** with `BinaryNotFound`
 * **Source** agent-harness.md, section 1.1, `binary.interpreter`
 *
 * @since 0.1.0
 * @category constructors
 */
export const interpreterFor = async (
  path: string,
  interpreter: string | null,
  search: PathSearch & { readonly ownInterpreter?: string }
): Promise<string | null> => {
  if (interpreter === null || !(await isScript(path, search))) return null
  const found = (await findOnPath(interpreter, search)) ?? search.ownInterpreter
  if (found !== undefined) return found
  throw new BinaryNotFound(`${path} is a script for ${interpreter}, which is not on PATH`, { path: interpreter })
}

const isScript = async (path: string, { files }: PathSearch): Promise<boolean> => {
  if (scriptEndings.test(path)) return true
  const [first, second] = await files.readStart(path, 2)
  return first === hash && second === bang
}

const hash = 0x23
const bang = 0x21
