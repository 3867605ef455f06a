import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../matrix/wires.ts';
import type { Agent, AgentSession, AgentSetting } from './agent.ts';
import { startRpcProcess, type RpcProcess } from './json-rpc.ts';

const settingsOf = (url: string): string => `model_provider = "koine"

[model_providers.koine]
name = "Koine"
base_url = "${url}/v1"
env_key = "KOINE_KEY"
wire_api = "responses"
`;

/** Its app server, which editors use. */
const startServer = async ({ url, key, home, work, env }: AgentSetting): Promise<RpcProcess> => {
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(join(home, '.codex/config.toml'), settingsOf(url));
  const started = { command: 'codex', words: ['app-server'], cwd: work, env: { ...env, KOINE_KEY: key } };
  const codex = startRpcProcess(started, {});
  await codex.call('initialize', { clientInfo: { name: 'codex_exec', version: '1.0.0' }, capabilities: null });
  codex.send({ jsonrpc: '2.0', method: 'initialized' });
  return codex;
};

const startCodex = async (setting: AgentSetting): Promise<AgentSession> => {
  const codex = await startServer(setting);
  // The sandbox of its tools needs rights that a container does not have.
  const options = { cwd: setting.work, approvalPolicy: 'never', sandbox: 'danger-full-access' };
  const { thread } = (await codex.call('thread/start', options)) as { readonly thread: { readonly id: string } };
  const threadId = thread.id;
  let [model, turnId]: (string | undefined)[] = [];
  const isEnd = ({ method, params }: Json): boolean =>
    method === 'turn/completed' && (params as Json)['threadId'] === threadId;
  const say = async (...input: readonly Json[]): Promise<string> => {
    const begin = codex.messages.length;
    const { turn } = (await codex.call('turn/start', {
      threadId,
      input,
      ...(model === undefined ? {} : { model }),
    })) as {
      readonly turn: { readonly id: string };
    };
    turnId = turn.id;
    await codex.next('end of the turn', isEnd);
    return JSON.stringify(
      codex.messages.slice(begin).filter(({ method }) => /^(item|turn).completed$|^error$/.test(String(method))),
    );
  };
  const text = (words: string): Json => ({ type: 'text', text: words, text_elements: [] });
  return {
    prompt: (words, picture) =>
      picture === undefined
        ? say(text(words))
        : say(text(words), { type: 'image', url: `data:image/png;base64,${picture}` }),
    interrupt: async () => void (await codex.call('turn/interrupt', { threadId, turnId })),
    compact: async () => {
      await codex.call('thread/compact/start', { threadId });
      await codex.next('end of the compaction', isEnd);
    },
    setModel: (name) => {
      model = name;
      return Promise.resolve();
    },
    count: () => Promise.reject(new Error('it counts no tokens')),
    end: () => codex.end(),
  };
};

export const codex: Agent = {
  name: 'Codex',
  tools: {
    // Its default model calls all but a few tools in JavaScript.
    read: (path) => ({
      namespace: 'functions',
      name: 'exec',
      input: `text((await tools.exec_command({ cmd: 'cat ${path}' })).output)`,
    }),
    delegate: (prompt) => [
      { namespace: 'collaboration', name: 'spawn_agent', input: { task_name: 'child', message: prompt } },
      { namespace: 'collaboration', name: 'wait_agent', input: { timeout_ms: 30_000 } },
    ],
  },
  model: 'gpt-6.1-sol',
  otherModel: 'gpt-5.5',
  whenCut: /Incomplete response returned, reason: max_output_tokens/,
  without: {
    found: 'its default model loads every tool at once',
    counted: 'it sends no such request',
  },
  start: startCodex,
};
