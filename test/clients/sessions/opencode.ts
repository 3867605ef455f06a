import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../matrix/wires.ts';
import type { Agent, AgentSession, AgentSetting } from './agent.ts';
import { startJsonProcess } from './json-process.ts';

const providerID = 'koine';
const [model, otherModel] = ['gpt-6.1-sol', 'claude-sonnet-5-5'];
const describe = (name: string): Json => ({
  name,
  attachment: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
  limit: { context: 128_000, output: 8_192 },
});
const configOf = (url: string): Json => ({
  model: `${providerID}/${model}`,
  provider: {
    [providerID]: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Koine',
      options: { baseURL: `${url}/v1`, apiKey: '{env:KOINE_KEY}' },
      models: { [model]: describe(model), [otherModel]: describe(otherModel) },
    },
  },
});

/** Its server, which its own clients use. */
const startOpenCode = async ({ url, key, home, work, env }: AgentSetting): Promise<AgentSession> => {
  mkdirSync(join(home, '.config/opencode'), { recursive: true });
  writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(configOf(url)));
  const server = startJsonProcess({
    command: 'opencode',
    words: ['serve', '--port', '0'],
    cwd: work,
    env: { ...env, KOINE_KEY: key },
  });
  const { line } = await server.next('address', (message) => String(message['line']).includes('listening on'));
  const address = /http:\S+/.exec(String(line))?.[0] ?? '';
  const post = async (path: string, body: Json): Promise<Json> => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const reply = await response.text();
    if (!response.ok) throw new Error(`${path}: ${reply}`);
    return (reply === '' ? {} : JSON.parse(reply)) as Json;
  };
  const { id } = await post('/session', {});
  const path = `/session/${String(id)}`;
  let modelID = model;
  const say = async (...parts: readonly Json[]): Promise<string> =>
    JSON.stringify(await post(`${path}/message`, { model: { providerID, modelID }, parts }));
  const text = (words: string): Json => ({ type: 'text', text: words });
  return {
    prompt: (words, picture) =>
      picture === undefined
        ? say(text(words))
        : say(text(words), { type: 'file', mime: 'image/png', url: `data:image/png;base64,${picture}` }),
    interrupt: async () => void (await post(`${path}/abort`, {})),
    compact: async () => void (await post(`${path}/summarize`, { providerID, modelID })),
    setModel: (name) => {
      modelID = name;
      return Promise.resolve();
    },
    count: () => Promise.reject(new Error('it counts no tokens')),
    end: () => server.end(),
  };
};

export const openCode: Agent = {
  name: 'OpenCode',
  tools: {
    read: (path) => ({ name: 'read', input: { filePath: path } }),
    delegate: (prompt) => [{ name: 'task', input: { description: 'A task', prompt, subagent_type: 'general' } }],
  },
  model,
  otherModel,
  whenCut: /A long text that is/,
  without: { found: 'it loads every tool at once', counted: 'it sends no such request' },
  start: startOpenCode,
};
