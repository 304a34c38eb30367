import type { RequestKind } from "./classification.ts"
import type { InferenceEndpoint } from "./endpoint.ts"
import { InvalidOption } from "./errors.ts"
import { describe } from "./json.ts"
import { firstHeader, type Header } from "./request.ts"
import { isSecretHeader } from "./secret-header.ts"
import { yesOrNo } from "./yes-or-no.ts"

/** A request as a condition sees it. */
export interface SeenRequest {
  readonly endpoint: InferenceEndpoint
  readonly kind: RequestKind
  readonly headers: ReadonlyArray<Header>
  /** The parsed body. */
  readonly body: unknown
  /** The session it belongs to, by the rules of the server. */
  readonly session: string
  /** The number of user messages in the body. */
  readonly turn: number
  /** Which try of its call it is, from 1; `null` while attempts are not counted. */
  readonly attempt: number | null
  /** The first value of a header, whatever the case of `name`. */
  header(name: string): string | undefined
}

/**
 * One thing that a request must be besides endpoint and kind, with words for it. What `test` throws counts as no, and the
 * error stands in the explanation of the miss.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestCondition {
  readonly description: string
  test(request: SeenRequest): boolean
  /** What is there instead, for the explanation of a miss. */
  found?(request: SeenRequest): string
  /** It is about the attempt: registering it makes the server count attempts, and retries may take what asks for them. */
  readonly isAboutAttempt?: boolean
}

/** Each throws `InvalidOption` for an argument that could never hold. @since 0.1.0 @category constructors */
export const RequestCondition = {
  /** A header with this value, or one that a pattern finds. Explanations show no value of a header that holds a key. */
  header: (name: string, value: string | RegExp): RequestCondition => {
    check("header(name, value): name", name, headerName)
    check(`header(${describe(name)}, value): value`, value, textOrPattern)
    return {
      description: `header ${name} ${wantedValue(name, value)}`,
      test(request) {
        const found = request.header(name)
        if (found === undefined) return false
        // A pattern with the flag g would remember where it was.
        return typeof value === "string"
          ? found === value
          : new RegExp(value.source, value.flags.replace(/[gy]/g, "")).test(found)
      },
      found: (request) => {
        const found = request.header(name)
        if (found === undefined) return `header ${name} is absent`
        return `header ${name} is ${isSecretHeader(name) ? "another one" : describe(found)}`
      }
    }
  },
  /** A session, as the rules of the server name it. */
  session: (id: string): RequestCondition => {
    check("session", id, aText)
    return {
      description: `session is ${describe(id)}`,
      test: (request) => request.session === id,
      found: (request) => `session is ${describe(request.session)}`
    }
  },
  /** A turn: the number of user messages in the body. */
  turn: (count: number): RequestCondition => {
    check("turn", count, wholeFrom(0))
    return {
      description: `turn is ${count}`,
      test: (request) => request.turn === count,
      found: (request) => `turn is ${request.turn}`
    }
  },
  /** Which try of its call the request is, from 1: what asks for a retry may be taken by one, whatever its call. */
  attempt: (number: number): RequestCondition => {
    check("attempt", number, wholeFrom(1))
    return {
      description: `attempt is ${number}`,
      isAboutAttempt: true,
      test: (request) => request.attempt === number,
      found: ({ attempt }) => (attempt === null ? "attempts were not counted yet" : `attempt is ${attempt}`)
    }
  },
  /** Anything about the body; the description stands in explanations. */
  body: (description: string, accepts: (body: unknown) => boolean): RequestCondition => {
    checkWords("body", { description, accepts })
    return { description, test: (request) => accepts(request.body) }
  },
  /** Anything about the request; the description stands in explanations. */
  request: (description: string, accepts: (request: SeenRequest) => boolean): RequestCondition => {
    checkWords("request", { description, accepts })
    return { description, test: accepts }
  }
} as const

/** What an argument may be. */
interface Allowed {
  readonly words: string
  readonly fits: (value: unknown) => boolean
}

/** What the types promise, for callers that have none. */
const check = (what: string, value: unknown, { words, fits }: Allowed): void => {
  if (!fits(value)) throw new InvalidOption(`${what} is ${describe(value)}; use ${words}`)
}

const checkWords = (name: string, given: { readonly description: unknown; readonly accepts: unknown }): void => {
  check(`${name}(description, accepts): description`, given.description, aText)
  check(`${name}(description, accepts): accepts`, given.accepts, aFunction)
}

const aText: Allowed = { words: "a text", fits: (value) => typeof value === "string" }
const aFunction: Allowed = {
  words: "a function that answers true or false at once",
  fits: (value) => typeof value === "function"
}
const headerName: Allowed = {
  words: 'the name of a header, for example "x-team"',
  fits: (value) => typeof value === "string" && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)
}
const textOrPattern: Allowed = {
  words: "a text or a regular expression",
  // A pattern of another realm, as some test runners have them, is one as well.
  fits: (value) => typeof value === "string" || Object.prototype.toString.call(value) === "[object RegExp]"
}
const wholeFrom = (least: number): Allowed => ({
  words: `a whole number from ${least}`,
  fits: (value) => typeof value === "number" && Number.isInteger(value) && value >= least
})

const wantedValue = (name: string, value: string | RegExp): string => {
  const verb = typeof value === "string" ? "is" : "matches"
  if (isSecretHeader(name)) return `${verb} what was scripted`
  return `${verb} ${typeof value === "string" ? describe(value) : value}`
}

/** A request as conditions see it. */
export const seenRequest = (
  request: Omit<SeenRequest, "header" | "session" | "turn" | "attempt">,
  conversation: () => Pick<SeenRequest, "session" | "turn">,
  attempt: number | null = null
): SeenRequest => ({
  ...request,
  attempt,
  get session() {
    return conversation().session
  },
  get turn() {
    return conversation().turn
  },
  header: (name) => firstHeader(request.headers, name.toLowerCase())
})

/** Whatever can be thrown, in words. */
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : describe(error))

/** Whether a condition holds, and if not, why. */
export const judgeCondition = (condition: RequestCondition, request: SeenRequest): string | null => {
  try {
    if (yesOrNo("its test", condition.test(request))) return null
    return condition.found?.(request) ?? "it does not hold"
  } catch (error) {
    if (error instanceof InvalidOption) return error.message
    return `its test threw: ${wordsOf(error)}`
  }
}
