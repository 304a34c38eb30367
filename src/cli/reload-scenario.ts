import { list } from "../inference/scenario-words.ts"
import type { MockInferenceServer } from "../inference/server-api.ts"
import type { Report } from "./report.ts"
import type { ScenarioSession } from "./scenario-session.ts"
import type { ServeOptions } from "./serve-options.ts"

/**
 * Reads the scenario again and tells what came of it. A bad file changes nothing.
 *
 * @since 0.1.0
 * @category running
 */
export const reloadScenario = (
  server: MockInferenceServer,
  {
    options,
    report,
    scenario
  }: {
    readonly options: ServeOptions
    readonly report: Report
    readonly scenario: ScenarioSession
  }
): void => {
  const file = options.scenario ?? ""
  const reload = scenario.reload(server)
  if (reload.kind === "same") return
  if (reload.kind === "refused") {
    const { problems } = reload
    report.human(`did not load ${file}; the scenario before stays:`, problems)
    report.record({ type: "reload", file, ok: false, problems })
    return
  }
  const { skipped } = reload.applied
  const { length } = reload.script.expectations
  report.human(`loaded ${file} again: ${length - skipped.length} of ${length} expectations registered`)
  if (skipped.length > 0) {
    report.human(`left out ${list(skipped)}: a call of that name still runs; save the file again when it has ended`)
  }
  for (const [name, words] of keptWords) if (reload.applied[name] === "kept") report.human(words)
  report.record({ type: "reload", file, ok: true, expectations: length - skipped.length, skipped })
}

const keptWords = [
  ["settings", "settings are kept: a server cannot forget them before it is restarted"],
  ["attempts", "attempts are still counted: a retry takes only what is scripted for its call, until a restart"],
  ["sessions", "sessions are told apart as before: what changed in `sessions` holds after a restart"],
  ["faultHeader", "what changed in `faultHeader` holds after a restart"]
] as const
