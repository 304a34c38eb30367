import { clip } from "../domain/clip.ts"

/** So many lines that programs print are passed on: they print the same in every run. */
const linesMax = 20

/** Longer lines are cut. */
const lineLengthMax = 2_000

/** Passes on what programs print, the first lines of it, and says so when there are more. */
export const someLines = (tell: (line: string) => void, more: string): ((text: string) => void) => {
  let rest = ""
  let count = 0
  return (text) => {
    if (count > linesMax) return
    const lines = (rest + text).split("\n")
    rest = (lines.pop() ?? "").slice(-lineLengthMax)
    for (const line of lines) {
      if (++count > linesMax) {
        tell(more)
        return
      }
      tell(clip(line, lineLengthMax))
    }
  }
}
