import type { Json } from '../../matrix/wires.ts';
import type { Agent, AgentSession, AgentSetting } from './agent.ts';
import { startJsonProcess } from './json-process.ts';

const modes = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

const startClaudeCode = (setting: AgentSetting): Promise<AgentSession> => {
  const claude = startJsonProcess({
    command: 'claude',
    words: ['-p', ...modes],
    cwd: setting.work,
    env: { ...setting.env, ANTHROPIC_BASE_URL: setting.url, ANTHROPIC_AUTH_TOKEN: setting.key },
  });
  let requests = 0;
  const control = async (request: Json): Promise<void> => {
    const id = `request-${(requests += 1)}`;
    claude.send({ type: 'control_request', request_id: id, request });
    const isReply = ({ type, response }: Json): boolean =>
      type === 'control_response' && (response as Json)['request_id'] === id;
    const { response } = await claude.next(`response to ${String(request['subtype'])}`, isReply);
    if ((response as Json)['subtype'] !== 'success') throw new Error(JSON.stringify(response));
  };
  const say = async (...content: readonly Json[]): Promise<string> => {
    claude.send({ type: 'user', message: { role: 'user', content } });
    return JSON.stringify(await claude.next('result', ({ type }) => type === 'result'));
  };
  const text = (words: string): Json => ({ type: 'text', text: words });
  return Promise.resolve({
    prompt: (words, picture) =>
      picture === undefined
        ? say(text(words))
        : say(text(words), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }),
    interrupt: () => control({ subtype: 'interrupt' }),
    compact: async () => void (await say(text('/compact'))),
    setModel: (model) => control({ subtype: 'set_model', model }),
    count: async () => void (await say(text('/context'))),
    end: () => claude.end(),
  });
};

export const claudeCode: Agent = {
  name: 'Claude Code',
  tools: {
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    search: {
      calls: [
        { name: 'ToolSearch', input: { query: 'select:CronList' } },
        { name: 'CronList', input: {} },
      ],
      result: 'No scheduled jobs',
    },
    delegate: (prompt) => [
      {
        name: 'Agent',
        input: { description: 'A task', prompt, subagent_type: 'general-purpose', run_in_background: false },
      },
    ],
  },
  model: 'claude-opus-5-5',
  otherModel: 'claude-sonnet-5-5',
  // It asks the model to continue.
  whenCut: /The turn cut is done/,
  without: {},
  start: startClaudeCode,
};
