/** What an agent is connected to. */
export interface AgentTarget {
  /** The address of the gateway, without a path. */
  readonly url: string;
  /** The id or the alias of a model. */
  readonly model: string;
}

/** How a coding agent is connected: a file of its settings, and the commands. The key is the variable `KOINE_KEY`. */
export interface AgentSetUp {
  readonly title: string;
  readonly file?: { readonly path: string; readonly text: string };
  readonly commands: string;
  /** A wire that the model must list, because a model has it only then. */
  readonly needsWire?: string;
}

const claudeCode = ({ url, model }: AgentTarget): AgentSetUp => ({
  title: 'Claude Code',
  commands: `export ANTHROPIC_BASE_URL=${url}
export ANTHROPIC_AUTH_TOKEN=$KOINE_KEY
export ANTHROPIC_MODEL=${model}
export ANTHROPIC_DEFAULT_OPUS_MODEL=${model}
export ANTHROPIC_DEFAULT_SONNET_MODEL=${model}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${model}
export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
claude -p 'Hello'
`,
});

const codex = ({ url, model }: AgentTarget): AgentSetUp => ({
  title: 'Codex',
  file: {
    path: '~/.codex/config.toml',
    text: `model = "${model}"
model_provider = "koine"
check_for_update_on_startup = false

[model_providers.koine]
name = "Koine"
base_url = "${url}/v1"
env_key = "KOINE_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

# Without these, it also connects to chatgpt.com and github.com.
[analytics]
enabled = false

[features]
plugins = false
apps = false
`,
  },
  commands: "codex exec --skip-git-repo-check 'Hello'\n",
  needsWire: 'responses',
});

const geminiCli = ({ url, model }: AgentTarget): AgentSetUp => ({
  title: 'Gemini CLI',
  file: {
    path: '~/.gemini/settings.json',
    text: `{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false }
}
`,
  },
  commands: `export GOOGLE_GEMINI_BASE_URL=${url}
export GEMINI_API_KEY=$KOINE_KEY
gemini --skip-trust -m ${model} -p 'Hello'
`,
});

const openCode = ({ url, model }: AgentTarget): AgentSetUp => ({
  title: 'OpenCode',
  file: {
    path: '~/.config/opencode/opencode.json',
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "model": "koine/${model}",
  "small_model": "koine/${model}",
  "autoupdate": false,
  "share": "disabled",
  "provider": {
    "koine": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Koine",
      "options": { "baseURL": "${url}/v1", "apiKey": "{env:KOINE_KEY}" },
      "models": { "${model}": { "name": "${model}", "limit": { "context": 128000, "output": 8192 } } }
    }
  }
}
`,
  },
  commands: `export OPENCODE_DISABLE_MODELS_FETCH=1
opencode run 'Hello'
`,
});

/** By the name of the program. docs/start/agents.md has the same lines, and tests run them. */
export const agentSetUps: Readonly<Record<string, (target: AgentTarget) => AgentSetUp>> = {
  claude: claudeCode,
  codex,
  gemini: geminiCli,
  opencode: openCode,
};
