/** Inputs that several test files share. */
export const model = "m"

export const kelpCall = { callId: "call_kelp", name: "depth", arguments: '{"m": 40}' }

export const reefCall = { callId: "call_reef", name: "tide", arguments: '{"at": "noon", "in": "m"}' }

export const fenced = "Steps:\n\n```js\nif (a  &&  b) {\n\treturn 1\n}\n```\n\nEnd.\n"

export const unicode = "日本 😀 e\u0301\r\nx"

/** Two pieces in either exact splitter. */
export const twoWords = "alpha beta"

/** Three pieces in either exact splitter. */
export const threeWords = "Sea is calm"
