import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: "test", include: ["test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "properties",
          include: ["properties/**/*.property.ts"],
          setupFiles: [".ci/seed.mjs"],
          globalSetup: [".ci/replay.mjs"]
        }
      }
    ]
  }
})
