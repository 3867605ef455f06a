import { expect } from 'chai';
import { readError, send, type HttpReply } from '../../support/http.ts';
import { MESSAGES, startScene, type Scene } from '../../support/scene.ts';

const STRICT_KEY = 'strict-key-0123456789abcdef';
const FALLBACK = 'mixed/two-targets';
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'vendor',
  content: [{ type: 'text', text: 'x' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** What happens when a translation would take something from a request: the operator decides, by route and by key. */
describe('loss policy', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: {
        [MESSAGES]: { targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
        [FALLBACK]: {
          targets: [
            { provider: 'anthropic', model: 'claude-sonnet-4-5' },
            { provider: 'openai', model: 'gpt-4.1' },
          ],
        },
      },
      organizations: {
        acme: {
          projects: {
            web: {
              keys: { alice: { key: 'test-key-0123456789abcdef' }, strict: { key: STRICT_KEY, losses: 'reject' } },
            },
          },
        },
      },
      routes: [
        { path: '/allow', wire: 'chat-completions' },
        { path: '/warn', wire: 'chat-completions', losses: 'warn' },
        { path: '/reject', wire: 'chat-completions', losses: 'reject' },
      ],
    });
    scene.upstream.answer = (response, { path }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify(
          path.endsWith('/messages')
            ? answer
            : {
                id: 'c',
                object: 'chat.completion',
                choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
              },
        ),
      );
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const lossy = { max_tokens: 10, seed: 7, logit_bias: { '1': 2 }, messages: [{ role: 'user', content: 'Hi' }] };
  const post = (
    path: string,
    body: object = lossy,
    model = MESSAGES,
    key = 'test-key-0123456789abcdef',
  ): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path,
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, ...body }),
    });
  const warnings = () => scene.gateway.lines.filter(({ level, text }) => level === 'warn' && text.includes('lost'));

  it('losses are named by default, without a warning in the log', async () => {
    const reply = await post('/allow');
    expect(reply.status).to.equal(200);
    expect(String(reply.headers['x-koine-losses']).split(', ')).to.have.members(['seed;dropped', 'logit_bias;dropped']);
    expect(warnings()).to.have.length(0);
  });

  it('losses are logged as warnings if configured, only for responses with losses', async () => {
    await post('/warn', { max_tokens: 10, messages: lossy.messages });
    expect(warnings()).to.have.length(0);
    const settled = scene.gateway.exchanges().length;
    expect((await post('/warn')).headers['x-koine-losses']).to.include('seed;dropped');
    await scene.gateway.settled(settled + 1);
    expect(warnings()).to.have.length(1);
    expect(JSON.stringify(warnings()[0]?.fields)).to.include('logit_bias');
  });

  it('a lossy request is refused before anything is sent, with every loss and its reason', async () => {
    const reply = await post('/reject');
    expect(reply.status).to.equal(400);
    expect(readError(reply).error).to.include({
      code: 'unsupported_parameter',
      type: 'invalid_request_error',
      param: 'logit_bias',
    });
    expect(readError(reply).error.message)
      .to.include("'seed' would be dropped")
      .and.include("'logit_bias' would be dropped")
      .and.include('losses: reject');
    expect(scene.upstream.calls).to.have.length(0);
  });

  it('injected members do not cause a refusal', async () => {
    const { max_tokens: _cap, seed: _seed, logit_bias: _bias, ...plain } = lossy;
    const reply = await post('/reject', plain);
    expect(reply.status).to.equal(200);
    expect(reply.headers['x-koine-losses']).to.equal('max_tokens;injected');
  });

  it('the loss policy of a key applies on every route', async () => {
    expect((await post('/allow', lossy, MESSAGES, STRICT_KEY)).status).to.equal(400);
    expect((await post('/warn', lossy, MESSAGES, STRICT_KEY)).status).to.equal(400);
  });

  it('a lossy target is skipped for one without losses', async () => {
    const reply = await post('/reject', lossy, FALLBACK);
    expect(reply.status).to.equal(200);
    expect(reply.headers).to.include({ 'x-koine-provider': 'openai', 'x-koine-attempts': '2' });
    expect(scene.upstream.calls.map(({ path }) => path)).to.deep.equal(['/v1/chat/completions']);
  });
});
