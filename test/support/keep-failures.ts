import { makeCorpus } from "../../src/campaign/corpus-file.ts"

/** Keeps so many failures of one test in a file, as soon as its input ends: `node keep-failures.mjs FILE TEST COUNT`. */
const [path = "", test = "", count = "0"] = process.argv.slice(2)
const corpus = makeCorpus(path)

console.log("ready")
process.stdin.resume().once("end", () => {
  const problems = Array.from({ length: Number(count) }, (_, index) => corpus.keep(test, `us1.${test}.${index}`))
  console.log(JSON.stringify(problems.filter((problem) => problem !== null)))
})
