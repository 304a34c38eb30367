/**
 * The `config.toml` that points codex at the mock. Its provider may not be called `openai`, and each of the switches
 * keeps one request from leaving the machine.
 */
export const codexConfig = ({ keyVariable }: { readonly keyVariable: string }): string =>
  `model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "Mock"
base_url = "{mockUrl}"
wire_api = "responses"
env_key = "${keyVariable}"

[analytics]
enabled = false

[feedback]
enabled = false

[features]
plugins = false
apps = false
`
