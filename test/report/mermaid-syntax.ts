/** What a Mermaid sequence diagram of ours says, or where it is none. */
export interface DiagramRead {
  readonly participants: ReadonlyArray<string>
  readonly messages: number
  readonly problems: ReadonlyArray<string>
}

/** Text of Mermaid: no `;` or `#` but in entities, no tags, no comments, no directives. */
const text = String.raw`(?:(?!%%|\$\$)[^#;<&\n\\]|#\d+;)+`
const participant = new RegExp(`^  participant (p\\d+) as (${text})$`, "u")
const message = new RegExp(`^  (p\\d+)(?:->>|-->>)(p\\d+): (${text})$`, "u")
const note = new RegExp(`^  Note over (p\\d+)(?:,(p\\d+))?: (${text})$`, "u")

/** Reads the part of Mermaid's grammar that our diagrams use, and nothing else. */
export const readDiagram = (diagram: string): DiagramRead => {
  const [first, ...lines] = diagram.split("\n")
  const problems = first === "sequenceDiagram" ? [] : [`line 1: ${first}`]
  const known = new Map<string, string>()
  let messages = 0
  for (const [index, line] of lines.entries()) {
    const declared = participant.exec(line)
    if (declared !== null) {
      if (known.has(declared[1] ?? "") || messages > 0) problems.push(`line ${index + 2}: late or twice: ${line}`)
      known.set(declared[1] ?? "", declared[2] ?? "")
      continue
    }
    const said = message.exec(line) ?? note.exec(line)
    if (said === null) {
      problems.push(`line ${index + 2}: ${line}`)
      continue
    }
    if (line.includes(">>")) messages++
    // Mermaid looks for `style...:...#...;` in all lines before it reads any.
    if (/style.*:\S*#.*;|classDef.*:\S*#.*;/.test(line)) problems.push(`line ${index + 2}: taken for a style: ${line}`)
    for (const id of said.slice(1, 3))
      if (/^p\d+$/.test(id ?? "") && !known.has(id ?? "")) problems.push(`line ${index + 2}: nobody is ${id}`)
  }
  return { participants: [...known.values()], messages, problems }
}
