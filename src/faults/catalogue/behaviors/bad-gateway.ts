import { bodyOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

const page = [
  "<html>",
  "<head><title>502 Bad Gateway</title></head>",
  "<body>",
  "<center><h1>502 Bad Gateway</h1></center>",
  "<hr><center>mock proxy</center>",
  "</body>",
  "</html>",
  ""
].join("\r\n")

const answer = () => bodyOf(page, { status: 502, headers: [["content-type", "text/html"]] })

/** A proxy that does not reach the provider, and knows nothing of its API. */
export const badGateway: Behavior = {
  name: "bad_gateway",
  summary: "502 with an HTML page",
  uses: [],
  outcome: "completed",
  stream: answer,
  reply: answer
}
