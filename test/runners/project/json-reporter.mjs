/** What became of each test, for checks.mjs: `node --test-reporter=./json-reporter.mjs`. */
// biome-ignore lint/style/noDefaultExport: as Node wants it
export default async function* (events) {
  const tests = []
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue
    const { name, skip, todo, details } = data
    const error = details.error?.cause ?? details.error
    const ended = type === "test:pass" ? "passed" : "failed"
    const status = todo !== undefined ? "todo" : skip !== undefined ? "skipped" : ended
    tests.push({ name, status, message: error?.message ?? "" })
  }
  yield JSON.stringify(tests)
}
