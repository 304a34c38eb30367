import { fileURLToPath } from "node:url"

/** The path of a module of programs that tests run. */
export const programs = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
