import { readUpTo } from "./bounded-file.ts"
import { isInherited, specialFile } from "./special-file.ts"

/** A larger script is refused. */
const scriptBytesMax = 4 * 1024 * 1024

/**
 * The text of a script of a fake agent; of a pipe only when the process was started with it.
 *
 * **Fails** with an `Error` that gives the reason alone
 *
 * @since 0.1.0
 * @category guards
 */
export const scriptText = (file: string): string => {
  const special = specialFile(file)
  if (special !== undefined && !(special === "a pipe" && isInherited(file)))
    throw new Error(`it is ${special}; give a file`)
  const bytes = readUpTo(file, scriptBytesMax + 1)
  if (bytes.length > scriptBytesMax) throw new Error(`it is larger than ${scriptBytesMax} bytes`)
  return bytes.toString("utf8")
}
