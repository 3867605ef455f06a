import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../matrix/wires.ts';
import type { Agent, AgentSession, AgentSetting } from './agent.ts';
import { markOf } from './conversation.ts';
import { startRpcProcess } from './json-rpc.ts';
import { PICTURE } from './script.ts';

/** The only setting that it needs beside address and key. */
const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };

/** Its server for editors, which speaks the Agent Client Protocol. */
const startGeminiCli = async ({ url, key, home, work, env }: AgentSetting): Promise<AgentSession> => {
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  const gemini = startRpcProcess(
    {
      command: 'gemini',
      words: ['--acp', '--skip-trust'],
      cwd: work,
      env: { ...env, GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
    },
    {
      'session/request_permission': ({ options }) => {
        const once = (options as readonly Json[]).find(({ kind }) => kind === 'allow_once');
        return { outcome: { outcome: 'selected', optionId: once?.['optionId'] } };
      },
    },
  );
  await gemini.call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const session = await gemini.call('session/new', { cwd: work, mcpServers: [] });
  const sessionId = session['sessionId'];
  // Without it, the tool that starts subagents is refused here.
  await gemini.call('session/set_mode', { sessionId, modeId: 'yolo' });
  const say = async (...prompt: readonly Json[]): Promise<string> => {
    const begin = gemini.messages.length;
    await gemini.call('session/prompt', { sessionId, prompt });
    const chunks = gemini.messages.slice(begin).flatMap(({ params }) => {
      const { update } = (params ?? {}) as { readonly update?: Json };
      return update?.['sessionUpdate'] === 'agent_message_chunk' ? [(update['content'] as Json)['text']] : [];
    });
    return chunks.join('');
  };
  const text = (words: string): Json => ({ type: 'text', text: words });
  const pictureOf = (data: string): Json => ({ type: 'image', mimeType: 'image/png', data });
  return {
    prompt: (words, picture) => (picture === undefined ? say(text(words)) : say(text(words), pictureOf(picture))),
    interrupt: () => {
      gemini.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } });
      return Promise.resolve();
    },
    // It has no command for it here: it compacts by itself when a response says that the context is full.
    compact: async () => void (await say(text(`${markOf('full')} Please.`))),
    setModel: async (modelId) => void (await gemini.call('session/set_model', { sessionId, modelId })),
    // It counts the tokens of prompts with pictures.
    count: async () => void (await say(text(`${markOf('image')} Please.`), pictureOf(PICTURE))),
    end: () => gemini.end(),
  };
};

export const geminiCli: Agent = {
  name: 'Gemini CLI',
  tools: {
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    finish: (result) => ({ name: 'complete_task', input: { result: { response: result } } }),
    delegate: (prompt) => [{ name: 'invoke_agent', input: { agent_name: 'generalist', prompt } }],
  },
  model: 'auto',
  otherModel: 'gemini-2.5-pro',
  whenCut: /A long text that is/,
  without: { found: 'it loads every tool at once' },
  start: startGeminiCli,
};
