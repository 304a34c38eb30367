import { type Child, startChild } from "../../shared/child.ts"
import type { LoadAnswer, LoadQuestion } from "./load-program.ts"

/** Who asks, in a process of its own. */
export type Load = Child<LoadQuestion, LoadAnswer>

/** Starts who asks, hands it over, and ends it. */
export const withLoad = async <Result>(use: (load: Load) => Promise<Result>): Promise<Result> => {
  const load: Load = startChild(new URL("./load-program.js", import.meta.url))
  try {
    return await use(load)
  } finally {
    load.stop()
  }
}
