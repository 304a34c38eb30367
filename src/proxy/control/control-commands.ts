/**
 * How the words of a command line become a member: as they are, as a number, as JSON, or as a JSON object that may also stand in a
 * file.
 */
export type MemberKind = "text" | "number" | "json" | "document"

/** A member of a request, beside `command` and `id`. */
export interface ControlMember {
  readonly name: string
  readonly kind: MemberKind
  readonly isOptional?: boolean
}

/** What can be asked of a proxy that runs; members stand in the order in which words of a command line are taken for them. */
export interface ControlCommand {
  readonly members: ReadonlyArray<ControlMember>
  readonly help: string
}

const text = (name: string): ControlMember => ({ name, kind: "text" })
const number = (name: string): ControlMember => ({ name, kind: "number" })
const json = (name: string): ControlMember => ({ name, kind: "json" })
const document = (name: string): ControlMember => ({ name, kind: "document" })
const optional = (member: ControlMember): ControlMember => ({ ...member, isOptional: true })

/**
 * The commands of the control socket, as data: requests are read by it, words of a command line are made requests by it, and help and
 * documentation are checked against it.
 *
 * @since 0.1.0
 * @category models
 */
export const controlCommands = {
  sever: { members: [optional(number("connection"))], help: "cut every connection, or one" },
  hold: {
    members: [
      optional(text("barrier")),
      optional(text("direction")),
      optional(json("match")),
      optional(json("connection")),
      optional(number("times"))
    ],
    help: "let frames wait at a barrier, by default all"
  },
  release: {
    members: [optional(text("barrier"))],
    help: "open a barrier for good, or all"
  },
  held: { members: [], help: "tell the frames that wait" },
  partition: {
    members: [optional(text("direction"))],
    help: "let nothing through until it is healed"
  },
  heal: { members: [optional(text("direction"))], help: "let it through again" },
  pause: {
    members: [optional(text("direction")), optional(number("connection"))],
    help: "stop reading, from every connection or one"
  },
  resume: {
    members: [optional(text("direction")), optional(number("connection"))],
    help: "read again, also what a rule has stalled"
  },
  vanish: { members: [number("connection")], help: "let a connection fall silent, and close nothing" },
  "rule add": { members: [document("rule")], help: "put a rule behind the others" },
  "rule remove": { members: [text("rule")], help: "take the rule with this id away" },
  "rule list": { members: [], help: "tell the rules" },
  plan: { members: [document("plan")], help: "put another plan in the place of the present one" },
  stats: { members: [optional(number("last"))], help: "tell totals, and the last 100 connections" },
  events: { members: [optional(number("last"))], help: "tell the last 100 events" },
  "wait forwarded": {
    members: [text("direction"), number("count"), optional(number("ms"))],
    help: "answer when so many frames were forwarded"
  },
  "wait connections": {
    members: [number("count"), optional(number("ms"))],
    help: "answer when so many were accepted"
  },
  "wait held": { members: [text("barrier"), optional(number("ms"))], help: "answer when a frame waits at the barrier" },
  stop: { members: [], help: "stop the proxy, as Ctrl-C does" },
  help: { members: [], help: "tell the commands" }
} as const satisfies Readonly<Record<string, ControlCommand>>

export type ControlCommandName = keyof typeof controlCommands

export const isControlCommand = (name: unknown): name is ControlCommandName =>
  typeof name === "string" && Object.hasOwn(controlCommands, name)

export const controlCommandNames = Object.keys(controlCommands).filter(isControlCommand)

/** A command with its members, as in `wait held BARRIER [MS]`. */
export const controlUsage = (name: ControlCommandName): string => {
  const members: ReadonlyArray<ControlMember> = controlCommands[name].members
  const words = members.map((member) =>
    member.isOptional === true ? `[${member.name.toUpperCase()}]` : member.name.toUpperCase()
  )
  return [name, ...words].join(" ")
}
