import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // Guards against hanging, and no more: a machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
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
