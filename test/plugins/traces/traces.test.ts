import {
  ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS as CACHE_WRITE,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS as CACHE_READ,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS as INPUT,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS as OUTPUT,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS as REASONING,
} from '@opentelemetry/semantic-conventions/incubating';
import { expect } from 'chai';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { CHAT, entryOf, GOOGLE, MESSAGES, sceneModels, startScene, type Scene } from '../../support/scene.ts';
import { answerJson } from '../../support/upstream.ts';
import { startCollector, type Collector, type ReceivedSpan } from './collector.ts';

const SERVER = 2;
const CLIENT = 3;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const CANARY = 'canary words of a prompt';

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1-2025-04-14',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'canary words of an answer' },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27, prompt_tokens_details: { cached_tokens: 15 } },
};

describe('the traces plugin', () => {
  let collector: Collector;
  let scene: Scene;
  const start = async (config: object = {}): Promise<void> => {
    scene = await startScene(
      {
        models: {
          ...sceneModels,
          'work/command-a': entryOf('work/command-a'),
          'house/two': {
            targets: [
              { provider: 'google', model: 'gemini-2.5-flash', wire: 'generate-content' },
              { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions', price: { input: 1, output: 2 } },
            ],
          },
        },
        plugins: [
          { use: 'traces', config: { endpoint: collector.url, headers: { 'x-collector': 'yes' }, ...config } },
          { use: 'auth' },
          { use: 'failover', config: { retries: 0, backoff: { base: '1ms', cap: '2ms' } } },
        ],
      },
      undefined,
      (url) => ({ work: { use: 'cohere', config: { apiKey: 'upstream-secret', baseUrl: url } } }),
    );
    scene.upstream.answer = (response, call) =>
      call.path.includes('gemini')
        ? answerJson(response, { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }, 503)
        : answerJson(response, completion);
  };
  const ask = (model: string, headers: Readonly<Record<string, string>> = {}, more: object = {}) =>
    send(scene.gateway.url, {
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: CANARY }], ...more }),
    });
  /** Stops the gateway, which exports all waiting spans. */
  const collect = async (count: number): Promise<readonly ReceivedSpan[]> => {
    await scene.stop();
    return collector.received(count);
  };

  beforeEach(async () => {
    collector = await startCollector();
  });
  afterEach(() => collector.stop());

  it('has the same trace id in span, access log and response, and the id of the vendor', async () => {
    await start();
    const { answer } = scene.upstream;
    scene.upstream.answer = (response, call) => {
      response.setHeader('x-request-id', 'req_of_the_vendor');
      return answer(response, call);
    };
    const reply = await ask(CHAT);
    const id = String(reply.headers['x-request-id']);
    const spans = await collect(2);
    const [line] = scene.gateway.exchanges();
    expect(spans.map(({ traceId }) => traceId)).to.deep.equal([line?.['trace_id'], line?.['trace_id']]);
    expect(id).to.equal(`req_${String(line?.['trace_id'])}`);
    expect(line).to.include({ stream: false });
    const [attempt] = (line?.['attempts'] ?? []) as readonly object[];
    expect(attempt).to.include({ upstream_request_id: 'req_of_the_vendor' });
    expect(spans.find(({ kind }) => kind === CLIENT)?.attributes).to.include({
      'koine.upstream_request_id': 'req_of_the_vendor',
    });
    expect(spans.find(({ kind }) => kind === SERVER)?.attributes).to.include({ 'koine.stream': false });
  });

  it('exports a span of the exchange and one of its attempt, with the attributes of the conventions', async () => {
    await start();
    await ask(CHAT, { 'user-agent': 'test/1' }, { max_tokens: 50, temperature: 0.5 });
    const spans = await collect(2);
    const exchange = spans.find(({ kind }) => kind === SERVER);
    const attempt = spans.find(({ kind }) => kind === CLIENT);
    expect(spans).to.have.length(2);
    expect(exchange).to.include({ name: 'POST /v1/chat/completions', parentId: '', failed: false, service: 'koine' });
    expect(exchange?.attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'user_agent.original': 'test/1',
      'koine.key': 'alice',
      'koine.project': 'web',
      'koine.organization': 'acme',
      'koine.model': CHAT,
      'koine.outcome': 'ok',
      'koine.attempts': 1,
    });
    expect(exchange?.attributes['koine.request_id']).to.match(/^req_/);
    expect(attempt).to.include({
      name: 'chat gpt-4.1',
      traceId: exchange?.traceId,
      parentId: exchange?.spanId,
      failed: false,
    });
    expect(attempt?.attributes).to.deep.include({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.request.max_tokens': 50,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.response.model': 'gpt-4.1-2025-04-14',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 15,
      'http.response.status_code': 200,
      'koine.target': CHAT,
      'koine.lane': 'native',
    });
    const { start: began = 0, end: ended = 0 } = attempt ?? {};
    expect([exchange?.start ?? Infinity, began, ended, exchange?.end ?? 0]).to.satisfy(
      (times: readonly number[]) => times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0) - 1),
      'one within the other',
    );
    expect(Math.abs(began - Date.now())).to.be.lessThan(60_000);
    expect(collector.headers[0]?.['x-collector']).to.equal('yes');
  });

  it('continues the trace of the client and passes it to the provider', async () => {
    await start();
    await ask(CHAT, { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' });
    const [call] = scene.upstream.calls;
    const spans = await collect(2);
    const attempt = spans.find(({ kind }) => kind === CLIENT);
    expect(spans.map(({ traceId }) => traceId)).to.deep.equal([TRACE, TRACE]);
    expect(spans.find(({ kind }) => kind === SERVER)?.parentId).to.equal(PARENT);
    expect(call?.headers['traceparent']).to.equal(`00-${TRACE}-${attempt?.spanId}-01`);
    expect(call?.headers).to.not.have.property('tracestate');
  });

  it("passes the client's tracestate on when configured", async () => {
    await start({ tracestate: true });
    await ask(CHAT, { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' });
    expect(scene.upstream.calls[0]?.headers['tracestate']).to.equal('vendor=1');
    await collect(2);
  });

  it('samples by share alone, whatever the flag and the trace id of the client are', async () => {
    const flagged = async (flag: string): Promise<void> => {
      for (const id of [TRACE, `${'0'.repeat(31)}1`, `${'f'.repeat(32)}`])
        await ask(CHAT, { traceparent: `00-${id}-${PARENT}-${flag}` });
    };
    await start({ share: 0 });
    await flagged('01');
    expect(scene.upstream.calls.map(({ headers }) => String(headers['traceparent']).slice(-3))).to.deep.equal([
      '-00',
      '-00',
      '-00',
    ]);
    await scene.stop();
    await start({ share: 1 });
    await flagged('00');
    expect(await collect(6)).to.have.length(6);
  });

  it('exports a span for each attempt, with the error type of a failed one', async () => {
    await start();
    expect((await ask('house/two')).status).to.equal(200);
    const spans = await collect(3);
    const [first, second] = spans.filter(({ kind }) => kind === CLIENT).sort((one, other) => one.start - other.start);
    expect(first).to.include({ name: 'generate_content gemini-2.5-flash', failed: true });
    expect(first?.attributes).to.include({
      'gen_ai.provider.name': 'gcp.gemini',
      'http.response.status_code': 503,
      'error.type': 'overloaded',
    });
    expect(second).to.include({ name: 'chat gpt-4.1', failed: false });
    expect(spans.find(({ kind }) => kind === SERVER)?.attributes).to.include({
      'koine.attempts': 2,
      'koine.cost': 0.000034,
    });
  });

  it('names each kind of tokens as the conventions do', async () => {
    await start();
    scene.upstream.answer = (response) =>
      answerJson(response, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: {
          input_tokens: 3,
          cache_read_input_tokens: 20,
          cache_creation_input_tokens: 100,
          output_tokens: 9,
          output_tokens_details: { thinking_tokens: 4 },
        },
      });
    expect((await ask(MESSAGES)).status).to.equal(200);
    const { attributes = {} } = (await collect(2)).find(({ kind }) => kind === CLIENT) ?? {};
    const usage = Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith('gen_ai.usage.')));
    expect(usage).to.deep.equal({ [INPUT]: 123, [OUTPUT]: 9, [CACHE_READ]: 20, [CACHE_WRITE]: 100, [REASONING]: 4 });
  });

  it('names the vendor of a provider, not the family of its models', async () => {
    await start();
    await ask(MESSAGES);
    expect((await collect(2)).find(({ kind }) => kind === CLIENT)?.attributes).to.include({
      'gen_ai.provider.name': 'anthropic',
    });
  });

  it('names the vendor of an endpoint, whatever the name of its provider, as the metrics do', async () => {
    await start();
    await ask('work/command-a');
    expect((await collect(2)).find(({ kind }) => kind === CLIENT)?.attributes).to.include({
      'gen_ai.provider.name': 'cohere',
    });
  });

  it('marks a failed exchange with an error status', async () => {
    await start();
    const reply = await ask(GOOGLE);
    const exchange = (await collect(2)).find(({ kind }) => kind === SERVER);
    expect(exchange).to.include({ failed: true });
    expect(exchange?.attributes).to.include({
      'http.response.status_code': reply.status,
      'koine.outcome': 'upstream_error',
    });
  });

  it('exports no text of requests or responses and no keys', async () => {
    await start();
    await ask(CHAT);
    expect(JSON.stringify(await collect(2)))
      .to.not.match(/canary|upstream-secret/)
      .and.not.include(KEY);
  });

  it('drops traces that a trusted client did not sample, and traces beyond the share', async () => {
    await start({ share: 0, trustParent: true });
    await ask(CHAT);
    await ask(CHAT, { traceparent: `00-${TRACE}-${PARENT}-00` });
    await ask(CHAT, { traceparent: `00-${TRACE}-${PARENT}-01` });
    expect((await collect(2)).map(({ traceId }) => traceId)).to.deep.equal([TRACE, TRACE]);
  });

  for (const traceparent of [
    '',
    'rubbish',
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01`.repeat(200),
  ]) {
    it(`starts a new trace for the invalid header ${traceparent.slice(0, 40)}`, async () => {
      await start();
      expect((await ask(CHAT, { traceparent })).status).to.equal(200);
      const [span] = await collect(2);
      expect(span?.traceId)
        .to.match(/^[0-9a-f]{32}$/)
        .and.not.equal(TRACE)
        .and.not.match(/^0+$/);
    });
  }

  it('does not delay the shutdown of the gateway while the collector is down', async () => {
    await collector.stop();
    await start({ timeout: '1h' });
    expect((await ask(CHAT)).status).to.equal(200);
    await scene.stop();
    collector = await startCollector();
  });

  it('delays no exchange while the collector is down, and logs the outage once', async () => {
    collector.status = 400;
    await start();
    expect((await ask(CHAT)).status).to.equal(200);
    expect((await ask(CHAT)).status).to.equal(200);
    const { lines } = scene.gateway;
    await scene.stop();
    expect(lines.filter(({ text }) => /does not accept spans/.test(text))).to.have.length(1);
  });
});
