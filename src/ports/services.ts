import { Context } from "effect"
import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Trace } from "../kernel/trace.ts"
import type { HttpPort } from "./http-port.ts"

/**
 * Time, as the world at hand keeps it.
 *
 * @since 0.1.0
 * @category services
 */
export class ClockPort extends Context.Service<ClockPort, Clock>()("llm-understudy/ports/ClockPort") {}

/** The source of every choice that the simulated world makes; live, the calm default. */
export class ChoicePort extends Context.Service<ChoicePort, Choice>()("llm-understudy/ports/ChoicePort") {}

/** The record of everything that happens under a supervisor. */
export class TracePort extends Context.Service<TracePort, Trace>()("llm-understudy/ports/TracePort") {}

/** Where servers listen. */
export class HttpServerPort extends Context.Service<HttpServerPort, HttpPort>()(
  "llm-understudy/ports/HttpServerPort"
) {}
