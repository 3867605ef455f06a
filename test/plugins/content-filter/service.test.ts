import { expect } from 'chai';
import OpenAI from 'openai';
import { KEY } from '../../support/gateway.ts';
import { CHAT, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { say } from '../../extensions/guarded-upstream.ts';

interface Refusal {
  readonly status: number;
  readonly message: string;
}

describe('the service of the content filter', () => {
  let service: TestUpstream;
  let scene: Scene | undefined;
  before(async () => {
    service = await startUpstream();
  });
  beforeEach(() => {
    service.calls.length = 0;
  });
  afterEach(async () => {
    await scene?.stop(/cannot be checked/);
    scene = undefined;
  });
  after(() => service.stop());

  const start = async (options: object = {}, rules: readonly object[] = []): Promise<void> => {
    const asked = { url: `${service.url}/check`, headers: { authorization: 'Bearer service-token' }, ...options };
    scene = await startScene({
      plugins: [{ use: 'auth' }, { use: 'content-filter', config: { rules, service: asked } }],
    });
    scene.upstream.answer = (response, call) => say({ text: ['Hello.'] }, response, call);
  };
  const ask = (content: string) =>
    new OpenAI({ apiKey: KEY, baseURL: `${scene?.gateway.url}/v1`, maxRetries: 0 }).chat.completions
      .create({
        model: CHAT,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content },
        ],
      })
      .withResponse();
  const refusal = (content: string): Promise<Refusal> =>
    ask(content).then(
      () => Promise.reject(new Error('The request was not refused.')),
      (thrown: unknown) => thrown as Refusal,
    );
  const sent = () => scene?.upstream.calls.map(({ body }) => body['messages']);

  it('gets the texts with the caller, and a request that it allows keeps the bytes of its client', async () => {
    service.answer = (response) => answerJson(response, { action: 'NONE' });
    await start();
    const { response } = await ask('Hi');
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    const [call] = service.calls;
    expect(call?.headers.authorization).to.equal('Bearer service-token');
    expect(call?.body).to.deep.equal({
      texts: ['Be brief.', 'Hi'],
      input_type: 'request',
      request_data: {
        request_id: response.headers.get('x-request-id'),
        model: CHAT,
        organization: 'acme',
        project: 'web',
        key: 'alice',
      },
    });
  });

  it('refuses a request with its reason, and gets texts after the rules have redacted them', async () => {
    service.answer = (response) => answerJson(response, { action: 'BLOCKED', blocked_reason: 'off topic' });
    await start({}, [{ name: 'mail', detect: ['emails'] }]);
    const { status, message } = await refusal('Write to joe@example.com');
    expect(status).to.equal(400);
    expect(message).to.include('The content policy of this gateway refused the request (off topic).');
    expect(service.calls[0]?.body['texts']).to.deep.equal(['Be brief.', 'Write to [redacted]']);
    expect(sent()).to.deep.equal([]);
  });

  it('replaces texts', async () => {
    service.answer = (response) =>
      answerJson(response, { action: 'GUARDRAIL_INTERVENED', texts: ['Be brief.', 'Write to <PERSON>'] });
    await start();
    await ask('Write to Joe');
    expect(sent()).to.deep.equal([
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Write to <PERSON>' },
      ],
    ]);
  });

  it('can be a moderation, which names the categories', async () => {
    service.answer = (response, { body }) =>
      answerJson(response, {
        model: body['model'],
        results: [
          { flagged: false, categories: { violence: false } },
          { flagged: true, categories: { violence: true, hate: false } },
        ],
      });
    await start({ shape: 'moderation', model: 'omni-moderation-latest' });
    expect((await refusal('Hi')).message).to.include('(violence)');
    expect(service.calls[0]?.body).to.deep.equal({ model: 'omni-moderation-latest', input: ['Be brief.', 'Hi'] });
  });

  it('is asked only about the requests in its scope', async () => {
    service.answer = (response) => answerJson(response, { action: 'BLOCKED' });
    await start({ models: ['anthropic/*'] });
    await ask('Hi');
    expect(service.calls).to.deep.equal([]);
  });

  const failures: Readonly<Record<string, TestUpstream['answer']>> = {
    'answers with an error': (response) => answerJson(response, {}, 500),
    'does not answer in time': () => {},
    'answers in another shape': (response) => answerJson(response, { verdict: true }),
    'returns too few texts': (response) => answerJson(response, { action: 'GUARDRAIL_INTERVENED', texts: ['x'] }),
  };
  for (const [how, answer] of Object.entries(failures)) {
    it(`refuses requests with 503, or lets them pass, by its setting, when it ${how}`, async () => {
      service.answer = answer;
      const timeout = how.includes('time') ? '100ms' : '5s';
      await start({ timeout });
      const { status, message } = await refusal('Hi');
      expect(status).to.equal(503);
      expect(message).to.include('cannot be checked');
      expect(sent()).to.deep.equal([]);
      await scene?.stop(/cannot be checked/);
      await start({ timeout, onFailure: 'allow' });
      await ask('Hi');
      expect(sent()).to.have.length(1);
      const warnings = scene?.gateway.lines.filter(({ text }) => text === 'the service of the content filter failed');
      expect(warnings).to.have.length(1);
    });
  }
});
