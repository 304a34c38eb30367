import { describe, expect, test } from "vitest"
import { childEnvironment } from "../../../src/harness/environment/child-environment.ts"
import { mockWiring } from "../../../src/harness/environment/mock-wiring.ts"
import { leaderChanges } from "../../../src/harness/leader/leader-environment.ts"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"

/* Every name and value of agent-harness.md, sections 1.4 and 1.5, as they stand there. */

const url = "http://127.0.0.1:43123/v1"

const parentVariables = {
  PATH: "/usr/bin",
  Path: "no",
  LANG: "C",
  LC_ALL: "C.UTF-8",
  LC_TIME: "no",
  DYLD_LIBRARY_PATH: "/d",
  LD_LIBRARY_PATH: "/l",
  SHELL: "/bin/zsh",
  PATHEXT: ".EXE",
  SystemRoot: "C:\\Windows",
  WINDIR: "C:\\Windows",
  ComSpec: "cmd",
  NUMBER_OF_PROCESSORS: "2",
  HTTPS_PROXY: "http://p",
  NODE_OPTIONS: "--inspect",
  NODE_PATH: "/n",
  ELECTRON_RUN_AS_NODE: "1",
  npm_config_registry: "http://r",
  XDG_CONFIG_HOME: "/x",
  GROK_LEADER_SOCKET: "/s",
  GROK_DEBUG_LOG: "1"
}

const environmentOn = (platform: string, root: string, separator: string) => {
  const at = (...names: ReadonlyArray<string>): string => [root, ...names].join(separator)
  return childEnvironment({
    parent: { platform, variables: parentVariables, cwd: root },
    paths: {
      root,
      home: at("home"),
      stateDir: at("home", ".grok"),
      workspace: at("workspace"),
      temp: at("tmp")
    },
    profile: builtInProfile("grok"),
    changes: [{ kind: "mock", wiring: mockWiring(url) }],
    ownerMark: "run:1",
    ofProcess: []
  })
}

const switches = {
  GROK_TELEMETRY_ENABLED: "false",
  GROK_TELEMETRY_TRACE_UPLOAD: "false",
  GROK_FEEDBACK_ENABLED: "false",
  GROK_TRACE_UPLOAD: "false",
  GROK_INSTRUMENTATION: "disabled",
  OTEL_SDK_DISABLED: "true",
  DISABLE_TELEMETRY: "1",
  DISABLE_FEEDBACK_COMMAND: "1",
  GROK_DISABLE_AUTOUPDATER: "1",
  GROK_PROMPT_SUGGESTIONS: "false",
  GROK_TURN_SUMMARY: "0",
  NO_PROXY: "127.0.0.1,localhost,::1",
  no_proxy: "127.0.0.1,localhost,::1",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  GIT_LFS_SKIP_SMUDGE: "1",
  AWS_PAGER: "",
  GPG_TTY: "",
  HARNESS_OWNER: "run:1"
}

const leaderMock = {
  GROK_CLI_CHAT_PROXY_BASE_URL: url,
  GROK_XAI_API_BASE_URL: url,
  GROK_MODELS_BASE_URL: url,
  GROK_FEEDBACK_BASE_URL: url,
  GROK_TRACE_UPLOAD_URL: url,
  XAI_API_KEY: "test-key-for-ci"
}

const mock = {
  ...leaderMock,
  GROK_MANAGED_CONFIG_URL: url,
  GROK_CODE_WEB_URL: url,
  GROK_CONVERSATIONS_BASE_URL: url
}

const pagers = (pager: string) =>
  Object.fromEntries(
    ["PAGER", "GIT_PAGER", "GH_PAGER", "MANPAGER", "SYSTEMD_PAGER"].map((name) => [name, pager] as const)
  )

// Seen to fail when any one variable is left out, as `GROK_TURN_SUMMARY` or `no_proxy`.
describe("the whole environment of grok", () => {
  test.each(["linux", "darwin"])("on %s", (platform) => {
    expect(environmentOn(platform, "/r", "/")).toEqual({
      PATH: "/usr/bin",
      LANG: "C",
      LC_ALL: "C.UTF-8",
      DYLD_LIBRARY_PATH: "/d",
      LD_LIBRARY_PATH: "/l",
      SHELL: "/bin/zsh",
      HOME: "/r/home",
      USERPROFILE: "/r/home",
      GROK_HOME: "/r/home/.grok",
      TMPDIR: "/r/tmp",
      TMP: "/r/tmp",
      TEMP: "/r/tmp",
      GIT_CONFIG_GLOBAL: "/r/home/.grok/gitconfig",
      GIT_EDITOR: "true",
      GIT_SEQUENCE_EDITOR: "true",
      ...switches,
      ...mock,
      ...pagers("cat")
    })
  })

  test("on Windows", () => {
    expect(environmentOn("win32", "C:\\r", "\\")).toEqual({
      PATH: "/usr/bin",
      PATHEXT: ".EXE",
      SystemRoot: "C:\\Windows",
      WINDIR: "C:\\Windows",
      ComSpec: "cmd",
      NUMBER_OF_PROCESSORS: "2",
      HOME: "C:\\r\\home",
      USERPROFILE: "C:\\r\\home",
      GROK_HOME: "C:\\r\\home\\.grok",
      TMPDIR: "C:\\r\\tmp",
      TMP: "C:\\r\\tmp",
      TEMP: "C:\\r\\tmp",
      GIT_CONFIG_GLOBAL: "C:\\r\\home\\.grok\\gitconfig",
      GIT_EDITOR: ":",
      GIT_SEQUENCE_EDITOR: ":",
      ...switches,
      ...mock,
      ...pagers("")
    })
  })

  test("and what its leader and their clients are given besides", () => {
    const changes = leaderChanges(builtInProfile("grok"), { socketPath: "/s", baseUrl: url })

    expect(changes).toEqual([
      {
        kind: "extend",
        values: { ...leaderMock, GROK_LEADER_SOCKET: "/s", RUST_LOG: "xai_grok_shell=debug" }
      }
    ])
  })
})
