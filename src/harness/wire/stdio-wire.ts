import { type Incoming, type Outgoing, stdioWireMachine } from "../../../machines/stdio-wire.machine.ts"
import { AgentInputClosed, FrameTooLarge } from "../../domain/harness-errors.ts"
import type { Clock } from "../../kernel/clock.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import { lineBytesMax, lineSplitter } from "../../wire/acp/line-splitter.ts"
import type { OutputReader } from "../process/process-output.ts"
import { type FilledLog, makeWireLog, type WireLog } from "./wire-log.ts"

/** The end of a process that lines go through; an owned process is one, and so is a simulated one. */
export interface StdioPipe {
  readonly label: string
  /** What is known of its process, with what is secret replaced. */
  diagnostics(): string
  read(stream: "stdout", reader: OutputReader): unknown
  write(data: string): Promise<void>
  endInput(): void
}

/** What a wire tells whoever speaks over it. */
export interface WireNews {
  /** A line came in; `seq` is its number in the log. Called in the order of the lines, before anything is done about any. */
  line(line: Incoming, seq: number): void
  /** Nothing more comes; `problem` is why, where that is not the end of the output. At most once. */
  over(problem: Error | null): void
}

/**
 * The lines between us and an agent.
 *
 * **Source** agent-harness.md, section 2.2
 *
 * @since 0.1.0
 * @category models
 */
export interface StdioWire {
  readonly log: WireLog
  /** Begins to read, once; lines that wait may come before this returns. */
  begin(): void
  /** Sends a line, without its LF; `failed` hears of it when it cannot be sent. */
  send(outgoing: Outgoing): void
  /** Lets the agent read an end, behind what was sent. */
  endInput(): void
}

interface WireData {
  readonly supervisor: Supervisor
  readonly pipe: StdioPipe
  readonly news: WireNews
  readonly log: FilledLog
  readonly bytesMax: number
}

type WireActor = Actor<typeof stdioWireMachine, WireData>

const kind = actorKind<typeof stdioWireMachine, WireData>(compileChart(stdioWireMachine), {
  attach: (_, wire) => void wire.data.pipe.read("stdout", readerOf(wire)),
  takeLine({ line }, { data }) {
    data.news.line(line, data.log.add("in", line.bytes))
  },
  write({ outgoing }, wire) {
    const { pipe, log, supervisor } = wire.data
    const text = `${outgoing.text}\n`
    log.add("out", new TextEncoder().encode(text))
    pipe.write(text).catch((error) => {
      if (wire.snapshot.status === "active") supervisor.deliver(wire, { type: "write.failed" })
      supervisor.run(() => outgoing.failed(error))
    })
  },
  refuseSend: ({ outgoing }, { data }) => refuse(outgoing, data.pipe),
  endInput: (_, { data }) => data.pipe.endInput(),
  tellEnded: (_, { data }) => data.news.over(null),
  tellTooLong({ length }, { data }) {
    const { pipe, bytesMax: limit } = data
    const diagnostics = pipe.diagnostics()
    data.news.over(new FrameTooLarge(`a line of ${pipe.label}`, { limit, length, diagnostics }))
  },
  tellUnread: ({ problem }, { data }) => data.news.over(new Error(`reading stopped: ${problem}`))
})

const refuse = (outgoing: Outgoing, { label }: StdioPipe): void =>
  outgoing.failed(new AgentInputClosed(`nothing can be written to ${label}: its input was ended`))

const readerOf = (wire: WireActor): OutputReader => {
  const { supervisor, bytesMax } = wire.data
  const splitter = lineSplitter(bytesMax)
  return {
    received(bytes) {
      if (wire.snapshot.status !== "active") return
      const { lines, overflow } = splitter.push(bytes)
      for (const line of lines) supervisor.deliver(wire, { type: "line", line })
      if (overflow !== null) supervisor.deliver(wire, { type: "overflow", length: overflow })
    },
    ended(problem) {
      if (wire.snapshot.status !== "active") return
      const line = splitter.end()
      if (line !== null) supervisor.deliver(wire, { type: "line", line })
      supervisor.deliver(wire, problem === null ? { type: "stdout.ended" } : { type: "read.failed", problem })
    }
  }
}

/**
 * The wire to a process. Nothing is read before it begins.
 *
 * **Takes** `bytesMax`, the longest line with its terminator; 64 MiB by default
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeStdioWire = (
  { supervisor, clock }: { readonly supervisor: Supervisor; readonly clock: Clock },
  options: { readonly pipe: StdioPipe; readonly news: WireNews; readonly bytesMax?: number }
): StdioWire => {
  const { pipe, news, bytesMax = lineBytesMax } = options
  const log = makeWireLog(clock.now)
  let wire: WireActor | null = null
  const isOpen = (actor: WireActor | null): actor is WireActor => actor?.snapshot.status === "active"
  return {
    log,
    begin() {
      wire ??= supervisor.spawn(kind, undefined, { supervisor, pipe, news, log, bytesMax })
    },
    send(outgoing) {
      if (isOpen(wire)) supervisor.deliver(wire, { type: "send", outgoing })
      else supervisor.run(() => refuse(outgoing, pipe))
    },
    endInput() {
      if (isOpen(wire)) supervisor.deliver(wire, { type: "input.end" })
    }
  }
}
