import { expect } from 'chai';
import { answerJson, startUpstream, type TestUpstream } from './upstream.ts';
import { KEY, startTestGateway, type TestGateway } from './gateway.ts';

const COUNT = 20_000;
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
const number = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `call_${index}`);

/** Conversations whose cost would grow with the square of their length if anything in them were searched one by one. */
const conversations: Readonly<Record<string, readonly unknown[]>> = {
  'one call id many times': [{ role: 'user', content: 'x' }, { role: 'assistant', content: null, tool_calls: number(COUNT).map(() => call('same')) }, result('same')],
  'results in reverse order': [{ role: 'user', content: 'x' }, { role: 'assistant', content: null, tool_calls: number(COUNT).map(call) }, ...number(COUNT).toReversed().map(result)],
  'many short messages of one role': Array.from({ length: COUNT }, () => ({ role: 'user', content: 'x' })),
  'ids that no wire takes': [{ role: 'user', content: 'x' }, { role: 'assistant', content: null, tool_calls: Array.from({ length: COUNT / 2 }, (_, index) => call(String.fromCodePoint(0x4e00 + index))) }],
};

/** A linear walk takes milliseconds here and a square one many seconds: the test's own limit tells them apart, by an order of magnitude. */
describe('a long conversation, translated', () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;

  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response) => answerJson(response, { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } });
    gateway = await startTestGateway({
      providers: { anthropic: { use: 'anthropic', config: { apiKey: 'k', baseUrl: upstream.url } } },
      models: { 'anthropic/m': { targets: [{ provider: 'anthropic', model: 'm' }] } },
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const post = (messages: readonly unknown[]): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body: JSON.stringify({ model: 'anthropic/m', messages }) });

  for (const [title, messages] of Object.entries(conversations)) {
    it(`is answered: ${title}`, async () => {
      const { status } = await post(messages);
      expect(status).to.equal(200);
    }).timeout(20_000);
  }

  it('carries arguments that are nested too deep as text', async () => {
    const depth = 10_000;
    const deep = { id: 'a', type: 'function', function: { name: 'f', arguments: `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}` } };
    const answer = await post([{ role: 'user', content: 'x' }, { role: 'assistant', content: null, tool_calls: [deep] }, result('a')]);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('x-koine-losses')).to.contain('approximated');
  });

  it('is refused when none of its messages has content', async () => {
    const answer = await post([{ role: 'user', content: '' }]);
    expect(answer.status).to.equal(400);
    expect(((await answer.json()) as { error: { param: string } }).error.param).to.equal('messages');
  });
});
