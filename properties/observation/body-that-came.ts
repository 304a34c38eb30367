/** What came of the body of an answer, however it is told, and whether its end came. */
export interface CameBody {
  readonly body: string
  /** Of a body that goes up to the end of its connection nobody knows. */
  readonly isWhole: boolean
}

/**
 * Reads the body of an answer that may be cut off, heads of 1xx before it. A letter is a byte.
 *
 * **Fails** when what is there is no beginning of an answer
 */
export const bodyThatCame = (text: string): CameBody => {
  let rest = text
  let head = ""
  do {
    const end = rest.indexOf("\r\n\r\n")
    if (end < 0) throw new Error(`there is no head in ${JSON.stringify(rest)}`)
    head = rest.slice(0, end + 2)
    rest = rest.slice(end + 4)
  } while (/^HTTP\/1\.1 1/.test(head))
  const [, length] = /^content-length: (\d+)\r$/im.exec(head) ?? []
  if (length !== undefined) return { body: rest, isWhole: rest.length === Number(length) }
  return /^transfer-encoding: chunked\r$/im.test(head) ? chunksThatCame(rest) : { body: rest, isWhole: false }
}

const chunksThatCame = (text: string): CameBody => {
  let body = ""
  let rest = text
  while (rest !== "") {
    const [line = "", digits] = /^([\da-f]+)\r\n/i.exec(rest) ?? []
    if (digits === undefined) throw new Error(`there is no chunk in ${JSON.stringify(rest)}`)
    const bytes = Number.parseInt(digits, 16)
    if (bytes === 0) return { body, isWhole: true }
    body += rest.slice(line.length, line.length + bytes)
    const behind = rest.slice(line.length + bytes)
    if (behind !== "" && !behind.startsWith("\r\n")) throw new Error(`a chunk has no end in ${JSON.stringify(behind)}`)
    rest = behind.slice(2)
  }
  return { body, isWhole: false }
}
