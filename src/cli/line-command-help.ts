/** The commands that `serve` takes on standard input, and what they do. */
export const lineCommandHelp = [
  ["release NAME [BARRIER]", "open all barriers of an expectation, or one"],
  ["hold", "hold unscripted foreground streams before their last event"],
  ["release-gate", "let them go, and later ones too"],
  ["status", "show what is expected and how far it is"],
  ["quit", "stop as on SIGINT"]
] as const
