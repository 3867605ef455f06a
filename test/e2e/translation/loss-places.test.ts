import { expect } from 'chai';
import { send } from '../../support/http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from '../../support/scene.ts';

const chatAnswer = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 0,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'a' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const messagesAnswer = JSON.stringify({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'a' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
});

/** Losses speak of the client's own request: its members, and its places. */
describe('names of losses', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      routes: ['chat-completions', 'messages', 'responses'].map((wire) => ({ path: `/${wire}`, wire })),
      models: {
        [CHAT]: {
          targets: [{ provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' }],
          wires: ['messages', 'responses'],
        },
        [MESSAGES]: {
          targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
          wires: ['chat-completions', 'responses'],
          promptCache: '5m',
        },
      },
    });
    scene.upstream.answer = (response, { path }) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(path.endsWith('/messages') ? messagesAnswer : chatAnswer);
  });
  after(() => scene.stop());
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });

  const losses = async (wire: string, body: object): Promise<string> => {
    const reply = await send(scene.gateway.url, { path: `/${wire}`, body: JSON.stringify(body) });
    expect(reply.status, reply.text).to.equal(200);
    return String(reply.headers['x-koine-losses'] ?? '');
  };

  it('losses of a messages client use its member names and do not count system blocks as messages', async () => {
    const said = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'd', is_error: true }] },
    ];
    const named = await losses('messages', {
      model: CHAT,
      max_tokens: 9,
      top_k: 3,
      system: [
        { type: 'text', text: 's' },
        { type: 'text', text: 't', cache_control: { type: 'ephemeral' } },
      ],
      messages: said,
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
    });
    expect(named)
      .to.include('messages[2].content[0].is_error')
      .and.include('top_k')
      .and.include('system[1].cache_control');
  });

  it('losses of a responses client use its member names', async () => {
    const named = await losses('responses', {
      model: MESSAGES,
      instructions: 's',
      max_output_tokens: 9,
      temperature: 1.5,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: 'https://example.test/a.png', detail: 'high' },
          ],
        },
      ],
    });
    expect(named).to.include('input[0].content[1].detail').and.include('temperature');
  });

  it('losses leave out cache marks that the operator configured', async () => {
    const named = await losses('chat-completions', {
      model: MESSAGES,
      max_tokens: 9,
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a' },
      ],
    });
    expect(named).to.equal('');
    expect(scene.upstream.calls[0]?.body).to.deep.include({
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] }],
    });
  });
});
