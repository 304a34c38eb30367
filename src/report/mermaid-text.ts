import { clip } from "../domain/clip.ts"
import { visibleText } from "./visible-text.ts"

/**
 * A text as it may stand behind the colon of a message or note of a Mermaid diagram, or behind `as` of a participant, on one
 * line. What Mermaid or the page around it would take for more than text is written as an entity: `#` and `&` begin an entity,
 * `<` a tag, `%%` a comment, `%%{` a directive, `$$` a formula. A colon as well, unless a space follows: Mermaid looks for
 * `style…:…#` before all else. A semicolon, which ends a statement and stands in many a message, becomes a comma: most people
 * read the diagram as it is, in a terminal.
 *
 * @since 0.1.0
 * @category encoding
 */
export const mermaidText = (text: string, lengthMax: number): string => {
  const shown = clip(visibleText(text).trim().replaceAll(";", ","), lengthMax).replace(special, entity)
  // Nothing at all would be no text, and a diagram without one does not parse.
  return shown === "" ? "-" : shown
}

const special = /[#<&\\]|%(?=[%{])|\$(?=\$)|:(?! )/g

const entity = (unit: string): string => `#${unit.codePointAt(0)};`
