import { filePathsOf } from "../../domain/file-paths.ts"
import { SandboxError } from "../../domain/harness-errors.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { MockWiring, SandboxPaths } from "../environment/environment-request.ts"
import type { ProfileMock } from "../profile/agent-profile.ts"
import { fillTemplate } from "../profile/template.ts"

/**
 * Writes the files that point an agent at the mock, over those of an earlier wiring.
 *
 * **Fails** with `SandboxError` for a path that leaves the sandbox
 * **Source** agent-harness.md, sections 1.1 and 1.5
 *
 * @since 0.1.0
 * @category running
 */
export const writeMockFiles = async (
  { files: wanted }: ProfileMock,
  options: {
    readonly wiring: MockWiring
    readonly paths: SandboxPaths
    readonly files: FilePort
    readonly platform: string
  }
): Promise<void> => {
  const { wiring, paths, files, platform } = options
  const { folderOf, isWithin, resolve } = filePathsOf(platform)
  for (const { path, template } of wanted) {
    const place = resolve(paths.root, fillTemplate(path, paths))
    if (!isWithin(paths.root, place)) throw new SandboxError(`the file ${path} of the profile leaves the sandbox`)
    await files.makeFolder(folderOf(place))
    await files.writeText(place, fillTemplate(template, { ...paths, ...wiring }))
  }
}
