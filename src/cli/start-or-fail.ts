import { InvalidOption, StartFailed } from "../domain/errors.ts"
import { MockInferenceServer, type ServerOptions } from "../index.ts"
import { type ScenarioScript, startOptions } from "../inference/scenario-script.ts"
import { RunFailed } from "./command-io.ts"

/**
 * Starts the server of a scenario.
 *
 * **Fails** with `RunFailed`, and says what to do
 *
 * @since 0.1.0
 * @category running
 */
export const startOrFail = async ({
  script,
  ...options
}: Pick<ServerOptions, "host" | "port" | "prepare"> & {
  readonly script: ScenarioScript
}): Promise<MockInferenceServer> => {
  try {
    return await MockInferenceServer.start({ ...options, ...startOptions(script) })
  } catch (error) {
    if (!(error instanceof StartFailed || error instanceof InvalidOption)) throw error
    const advice = error.message.includes("EADDRINUSE")
      ? "another program has that port; give another --port, or none for a free one"
      : "give a --host of this machine and a --port that you may use"
    throw new RunFailed(`${error.message}; ${advice}`)
  }
}
