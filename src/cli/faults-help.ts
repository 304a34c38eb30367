import { commonOptions } from "./command.ts"
import { faultsGroups, fitOptions, simulateOptions } from "./faults-options.ts"
import { columns, optionColumns } from "./help-text.ts"

const synopsis = "Usage: understudy faults --sequence A,B,... [options]"

const others = columns([
  ["understudy faults list", "tell every behaviour"],
  ["understudy faults simulate", "tell what a seed draws, without a server"],
  ["understudy faults profile fit FILE", "make a profile from recorded results"]
])

const entries = columns([
  ["NAME", 'a behaviour, as "understudy faults list" tells them, or random: drawn from the weights'],
  ["NAME*3", "the same three times"],
  ["NAME:rst", "end its connection by a reset; NAME:fin by an orderly end; NAME:rst*3 three times"],
  ["connection_refused", "first only: refuse connects for --listen-delay-ms, then listen"],
  ["connection_refused:300", "anywhere: refuse connects for 300 ms, once the request before it has its result"]
])

const records = `Records are JSON lines on stdout: "ready" with baseURL and url (the same: the base URL of OpenAI clients; those of
Anthropic add /v1 themselves) and randomSeed, then "request" and "result" for each accepted request. "unavailable" and
"available" stand around each time in which connects are refused; where the sequence begins with connection_refused,
"unavailable" comes first of all and "ready" in the place of "available". "error" tells that the port cannot be had again,
which ends the command with exit code 1. With --telemetry full they say more, and there are "rejected", "closed" and, last of
all, "summary". SIGINT and SIGTERM end the command with 130 and 143; a bad command line with 1.`

const scriptFile = `A script file is one JSON object; its members beside "version" are optional, unknown ones are errors:

  { "version": 1,
    "sequence": ["rate_limit*2", { "behavior": "partial_disconnect", "times": 2,
                                   "options": { "partialText": "half", "resetMode": "rst" } }, "success"],
    "repeatLast": true,
    "options": { "chunkDelayMs": 5 },
    "weights": { "success": 3, "empty": 1 },   or "profile": a name, or a profile
    "keyed": false,
    "laneBy": ["header:x-session"], "perLane": true, "strictLanes": false, "lanePort": false, "onlyForeground": false,
    "lanes": { "alpha": { "sequence": [...], "repeatLast": true, "weights": {...}, "options": {...} }, "team-*": {...} } }

The file stands in the place of --sequence, which cannot be given as well. Of everything else what the command line says
counts instead of the file; options of entries and lanes stand above both. The seed is given by --seed alone.`

const examples = `Examples:

  understudy faults --port 0 --sequence partial_disconnect,success --partial-text "discard this half"
  understudy faults --sequence random --repeat-last --seed 42 --random-weights success=60,rate_limit=20,empty=20
  understudy faults --sequence connection_refused,success --listen-delay-ms 800
  understudy faults --sequence 'rate_limit*2,success' --lane-by fingerprint --telemetry full`

/**
 * How the command is called, in a few lines: what follows the message when a command line is wrong, so that the message stays
 * on the screen.
 *
 * @since 0.1.0
 * @category encoding
 */
export const faultsUsage = (): string =>
  [synopsis, others, 'Run "understudy faults --help" for the options and the entries of a sequence.\n'].join("\n\n")

const usage = (): string =>
  [
    synopsis,
    "Serve a provider that fails as it is told: in order, or by chance with a seed.",
    others,
    ...faultsGroups.map(([heading, options]) => `${heading}:\n${optionColumns(options)}`),
    `Entries of a sequence:\n${entries}\n`
  ].join("\n\n")

/**
 * What `understudy faults --help` shows: usage, script files, records, examples.
 *
 * @since 0.1.0
 * @category encoding
 */
export const faultsHelp = (): string => [usage(), scriptFile, "", records, "", examples, ""].join("\n")

/** @since 0.1.0 @category encoding */
export const listUsage = (): string =>
  [
    "Usage: understudy faults list",
    "Tells every behaviour that a sequence may name, one a line, with what a client sees.",
    `${optionColumns(commonOptions)}\n`
  ].join("\n\n")

/** @since 0.1.0 @category encoding */
export const simulateUsage = (): string =>
  [
    "Usage: understudy faults simulate [--profile NAME|FILE] [--seed N] [--requests N]",
    "Tells what so many requests of one caller would get from a sequence of random alone: one name a line.",
    optionColumns(simulateOptions),
    "Example: understudy faults simulate --profile overload --seed 42 --requests 1000 | sort | uniq -c\n"
  ].join("\n\n")

/** @since 0.1.0 @category encoding */
export const fitUsage = (): string =>
  [
    "Usage: understudy faults profile fit FILE [--name NAME] [--source TEXT] [--window TEXT]",
    `Makes a measured profile of the "result" records in FILE (JSON lines), and writes it to stdout. Of each behaviour it
tells count and 95 % interval, and marks those that were seen fewer than five times.`,
    optionColumns(fitOptions),
    "Example: understudy faults profile fit results.jsonl --name june --window 2026-06 > june.json\n"
  ].join("\n\n")
