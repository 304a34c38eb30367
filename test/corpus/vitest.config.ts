import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** For `run.mjs`: what takes minutes, and packages that are not installed here. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: { include: ["test/corpus/*.corpus.ts"] }
})
