import { catalogue } from "../faults/catalogue/catalogue.ts"
import { columns } from "./help-text.ts"

/**
 * Every name that a sequence may hold, one a line.
 *
 * @since 0.1.0
 * @category encoding
 */
export const faultsList = (): string =>
  `${columns([
    ...catalogue.map(({ name, summary }) => [name, summary] as const),
    ["random", "one of those above, drawn from the weights"],
    ["connection_refused", "first only: nobody listens for --listen-delay-ms"],
    ["connection_refused:MS", "nobody listens for so many milliseconds"]
  ])}\n`
