/** Bytes as a text in which each character is a byte. `TextDecoder` has other characters for those from 0x80 to 0x9f. */
export const latin1Text = (bytes: Uint8Array): string => {
  let text = ""
  for (let from = 0; from < bytes.length; from += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(from, from + pieceBytes))
  return text
}

/** As many arguments as every runtime takes. */
const pieceBytes = 4_096

export const latin1Bytes = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
