/** One file of the tree: its path from the top with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One import, re-export or dynamic import, whatever its form. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** Erased by the compiler: `import type`, `export type ... from`, `import("...").Name` as a type. */
  readonly isType: boolean
  readonly isDynamic: boolean
  /** Names as the other module exports them; `*` for a namespace. */
  readonly names: ReadonlyArray<string>
}

const clause = String.raw`(?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+`
const fromForm = new RegExp(String.raw`\b(?:import|export)\s*(type\b\s*)?(${clause})\s*\bfrom\s*(["'])`, "g")
const bareForm = /\bimport\s*(["'])/g
const dynamicForm = /\bimport\s*\(\s*(["'])/g

/**
 * Every import of a file, in the order of the text within each form. Works on text, because the compiler has no API.
 *
 * **Ignores** dynamic imports whose argument is no plain string, and everything inside comments and strings
 */
export function importsOf(file: SourceFile): ReadonlyArray<Import> {
  const code = blank(file.text)
  const found = (match: RegExpExecArray, rest: Omit<Import, "specifier" | "line">): Import => {
    const start = match.index + match[0].length
    const quote = code.charAt(start - 1)
    return { specifier: file.text.slice(start, code.indexOf(quote, start)), line: lineAt(code, match.index), ...rest }
  }

  return [
    ...[...code.matchAll(fromForm)].map((match) =>
      found(match, { isType: match[1] !== undefined, isDynamic: false, names: namesIn(match[2] ?? "") })
    ),
    ...[...code.matchAll(bareForm)].map((match) => found(match, { isType: false, isDynamic: false, names: [] })),
    ...[...code.matchAll(dynamicForm)].map((match) => {
      const close = code.indexOf(")", match.index)
      const isType = /^\)\s*\.\s*(?!then\b|catch\b|finally\b)/.test(code.slice(close, close + 40))
      return found(match, { isType, isDynamic: !isType, names: ["*"] })
    })
  ]
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}

/** The path that a relative specifier of `from` names. */
export function resolveFrom(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1)
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

/**
 * The text with comments, regular expressions and the inside of strings turned to spaces; lines, offsets and quotes stay.
 * What stands in `${...}` of a template is code and stays.
 */
export function blank(text: string): string {
  const out = text.split("")
  const hide = (from: number, to: number) => {
    for (let at = from; at < to && at < out.length; at++) if (out[at] !== "\n") out[at] = " "
  }
  /** Open braces inside each `${` that is open, innermost last. */
  const templates: Array<number> = []

  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    const pair = text.slice(at, at + 2)
    let end = at + 1
    if (pair === "//" || pair === "#!") {
      end = endOf(text, "\n", at)
      hide(at, end)
    } else if (pair === "/*") {
      end = endOf(text, "*/", at + 2) + 2
      hide(at, end)
    } else if (char === '"' || char === "'") {
      end = closing(text, char, at + 1)
      hide(at + 1, end)
      end += 1
    } else if (char === "/" && startsExpression(out, at)) {
      end = closingSlash(text, at + 1)
      hide(at + 1, end)
      end += 1
    } else if (char === "`" || (char === "}" && templates.at(-1) === 0)) {
      if (char === "}") templates.pop()
      end = closingTemplate(text, at + 1)
      hide(at + 1, end)
      if (text.charAt(end) === "$") {
        templates.push(0)
        end += 1
      }
      end += 1
    } else if (templates.length > 0 && (char === "{" || char === "}")) {
      templates.push((templates.pop() ?? 0) + (char === "{" ? 1 : -1))
    }
    at = end
  }
  return out.join("")
}

function namesIn(text: string): ReadonlyArray<string> {
  const braces = /\{([^}]*)\}/.exec(text)
  const named = (braces?.[1] ?? "")
    .split(",")
    .map((part) => /^\s*(?:type\s+)?([\w$]+)/.exec(part)?.[1])
    .filter((name) => name !== undefined)
  const outside = text.replace(/\{[^}]*\}/, "")
  return [...named, ...(outside.includes("*") ? ["*"] : []), ...(/^\s*[\w$]+/.test(outside) ? ["default"] : [])]
}

function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at
}

/** The offset of the closing quote; a line end closes a string that nobody closed. */
function closing(text: string, quote: string, from: number): number {
  let at = from
  while (at < text.length && text.charAt(at) !== quote && text.charAt(at) !== "\n")
    at += text.charAt(at) === "\\" ? 2 : 1
  return at
}

/** The offset of the next backtick, or of the `$` of the next `${`. */
function closingTemplate(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charAt(at) !== "`" && text.slice(at, at + 2) !== "${") {
    at += text.charAt(at) === "\\" ? 2 : 1
  }
  return at
}

function closingSlash(text: string, from: number): number {
  let isInClass = false
  let at = from
  while (at < text.length && text.charAt(at) !== "\n" && (isInClass || text.charAt(at) !== "/")) {
    if (text.charAt(at) === "[") isInClass = true
    if (text.charAt(at) === "]") isInClass = false
    at += text.charAt(at) === "\\" ? 2 : 1
  }
  return at
}

/** Whether a slash here begins a regular expression: after an operator, a word like `return`, or nothing. */
function startsExpression(code: ReadonlyArray<string>, slash: number): boolean {
  let at = slash - 1
  while (at >= 0 && (code[at] ?? "").trim() === "") at--
  if (at < 0) return true
  const before = code.slice(Math.max(0, at - 20), at + 1).join("")
  if (/[\w$]$/.test(before)) return /(?:^|[^\w$.])(?:return|typeof|case|in|of|void|yield|await|else|do)$/.test(before)
  return !/[)\]"'`]$/.test(before)
}
