import type { OptionTable } from "./option-table.ts"

const indent = "  "

/** Two columns: names, and what they mean. */
export const columns = (rows: ReadonlyArray<readonly [name: string, meaning: string]>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, meaning]) => `${indent}${name.padEnd(width)}  ${meaning}`).join("\n")
}

/** The option table as its part of the help. */
export const optionColumns = (table: OptionTable): string =>
  columns(
    Object.entries(table).map(([name, option]) => [
      option.kind === "flag" ? `--${name}` : `--${name} ${option.placeholder}`,
      option.help
    ])
  )
