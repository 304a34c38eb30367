import { bodyOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

const page =
  "<!DOCTYPE html>\n<html><head><title>mock page</title></head><body><p>Sign in to go on.</p></body></html>\n"

const answer = () => bodyOf(page, { headers: [["content-type", "text/html; charset=utf-8"]] })

/** A page for people with status 200, as a captive portal or a proxy sends. */
export const htmlPage: Behavior = {
  name: "html_page",
  summary: "status 200 and an HTML page",
  uses: [],
  outcome: "completed",
  stream: answer,
  reply: answer
}
