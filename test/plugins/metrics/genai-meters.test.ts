import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOKEN_TYPE,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
  METRIC_GEN_AI_SERVER_REQUEST_DURATION,
  METRIC_GEN_AI_SERVER_TIME_PER_OUTPUT_TOKEN,
  METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN,
} from '@opentelemetry/semantic-conventions/incubating';
import { expect } from 'chai';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { callOf, greet } from '../../support/calls.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { CHAT, GOOGLE, MESSAGES, sceneModels, startScene, type Scene } from '../../support/scene.ts';
import { answerJson } from '../../support/upstream.ts';

/** The name that Prometheus uses for a name of OpenTelemetry. */
const spell = (name: string, unit = ''): string => name.replaceAll('.', '_') + unit;

const common = [ATTR_GEN_AI_OPERATION_NAME, ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_REQUEST_MODEL];
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-metrics.md */
const conventions: readonly (readonly [name: string, attributes: readonly string[], buckets: readonly number[]])[] = [
  [
    spell(METRIC_GEN_AI_CLIENT_TOKEN_USAGE),
    [...common, ATTR_GEN_AI_TOKEN_TYPE],
    [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  ],
  [spell(METRIC_GEN_AI_CLIENT_OPERATION_DURATION, '_seconds'), [...common, ATTR_ERROR_TYPE], seconds],
  [spell(METRIC_GEN_AI_SERVER_REQUEST_DURATION, '_seconds'), [...common, ATTR_ERROR_TYPE], seconds],
  [
    spell(METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN, '_seconds'),
    common,
    [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  ],
  [
    spell(METRIC_GEN_AI_SERVER_TIME_PER_OUTPUT_TOKEN, '_seconds'),
    common,
    [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  ],
];
const [TOKENS, CALLS, REQUESTS, FIRST, EACH] = conventions.map(([name]) => name) as [
  string,
  string,
  string,
  string,
  string,
];
const AT = 'gen_ai_provider_name';
const SIMULATOR = 'simulator/chat';

describe('the gen_ai_* metrics', () => {
  let scene: Scene;
  let families: ReadonlyMap<string, Family>;
  const start = async (config: object = { genaiSemconv: true }): Promise<void> => {
    scene = await startScene({
      models: {
        ...sceneModels,
        'house/two': {
          targets: [
            { provider: 'google', model: 'gemini-2.5-flash', wire: 'generate-content' },
            { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' },
          ],
        },
      },
      plugins: [{ use: 'metrics', config }, { use: 'auth' }, { use: 'failover', config: { retries: 0 } }],
    });
    scene.upstream.answer = greet;
  };
  afterEach(() => scene.stop());
  const complete = (model: string, stream = false, content = 'Hi') =>
    send(scene.gateway.url, {
      ...callOf('chat', model, { stream, more: { messages: [{ role: 'user', content }] } }),
      headers: goodHeaders,
    });
  const scrape = async (settled: number): Promise<void> => {
    await scene.gateway.settled(settled);
    families = parseMetrics(
      (await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} })).text,
    );
  };
  const count = (name: string, where: Readonly<Record<string, string>> = {}): number =>
    sumOf(families, `${name}_count`, where);

  it('exports metrics with the names, attributes and buckets of the conventions', async () => {
    await start();
    await complete(SIMULATOR, true);
    await scrape(1);
    const exported = [...families]
      .filter(([name]) => name.startsWith('gen_ai_'))
      .map(([name, { type, samples }]) => {
        const { le: _bound, ...labels } = samples[0]?.labels ?? {};
        const bounds = new Set(samples.flatMap(({ labels: { le = '+Inf' } }) => (le === '+Inf' ? [] : [Number(le)])));
        return [name, type, Object.keys(labels), [...bounds]];
      });
    expect(exported).to.have.deep.members(
      conventions.map(([name, attributes, buckets]) => [
        name,
        'histogram',
        attributes.map((attribute) => spell(attribute)),
        buckets,
      ]),
    );
  });

  it('counts the same calls, tokens and requests as the koine_* metrics', async () => {
    await start();
    for (const model of [CHAT, MESSAGES, GOOGLE]) await complete(model);
    await scrape(3);
    for (const [provider, vendor, operation, model] of [
      ['openai', 'openai', 'chat', 'gpt-4.1'],
      ['anthropic', 'anthropic', 'chat', 'claude-sonnet-4-5'],
      ['google', 'gcp.gemini', 'generate_content', 'gemini-2.5-flash'],
    ] as const) {
      const at = { [AT]: vendor, gen_ai_request_model: model };
      expect(count(CALLS, { ...at, gen_ai_operation_name: operation, error_type: '' }), vendor).to.equal(1);
      expect(sumOf(families, `${CALLS}_sum`, at), vendor)
        .to.equal(sumOf(families, 'koine_upstream_duration_seconds_sum', { provider }))
        .and.be.greaterThan(0);
      for (const type of ['input', 'output']) {
        expect(sumOf(families, `${TOKENS}_sum`, { ...at, gen_ai_token_type: type }), `${vendor} ${type}`)
          .to.equal(sumOf(families, 'koine_tokens_total', { provider, type }))
          .and.be.greaterThan(0);
      }
      expect(count(REQUESTS, { ...at, gen_ai_operation_name: 'chat', error_type: '' }), vendor).to.equal(1);
    }
    expect([count(CALLS), count(TOKENS), count(REQUESTS), count(FIRST)]).to.deep.equal([3, 6, 3, 0]);
    expect(sumOf(families, `${REQUESTS}_sum`)).to.be.closeTo(
      sumOf(families, 'koine_http_request_duration_seconds_sum'),
      1e-9,
    );
  });

  it('sets an error type for a failed attempt, and none for a request that a fallback served', async () => {
    await start();
    scene.upstream.answer = (response, call) =>
      call.path.includes('gemini')
        ? answerJson(response, { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }, 503)
        : greet(response, call);
    await complete('house/two');
    await complete(GOOGLE);
    await scrape(2);
    expect([
      count(CALLS, { [AT]: 'gcp.gemini', error_type: 'upstream_error' }),
      count(CALLS, { [AT]: 'openai', error_type: '' }),
      count(CALLS),
    ]).to.deep.equal([2, 1, 3]);
    expect([
      count(REQUESTS, { [AT]: 'openai', error_type: '' }),
      count(REQUESTS, { [AT]: 'gcp.gemini', error_type: 'upstream_error' }),
      count(REQUESTS),
    ]).to.deep.equal([1, 1, 2]);
    expect(count(TOKENS)).to.equal(2);
  });

  it('times tokens of successful streams only, and does not count estimated usage', async () => {
    await start();
    await complete(SIMULATOR, true, 'Hi [[simulator words=20]]');
    await complete(SIMULATOR, true, 'Hi [[simulator cut=after:3]]');
    await scrape(2);
    expect([count('koine_time_to_first_token_seconds'), count(FIRST), count(EACH)]).to.deep.equal([2, 1, 1]);
    expect(sumOf(families, `${EACH}_sum`))
      .to.equal(sumOf(families, 'koine_time_per_output_token_seconds_sum'))
      .and.be.greaterThan(0);
    expect(sumOf(families, `${TOKENS}_sum`, { gen_ai_token_type: 'output' })).to.equal(
      sumOf(families, 'koine_tokens_total', { type: 'output', source: 'provider' }),
    );
    expect(sumOf(families, 'koine_tokens_total', { source: 'estimated' })).to.be.greaterThan(0);
    expect(count(REQUESTS, { error_type: 'upstream_error' })).to.equal(1);
  });

  it('leaves out requests without a call to a provider', async () => {
    await start();
    await complete('junk/"model"');
    await scrape(1);
    expect([count(REQUESTS), count(CALLS), sumOf(families, 'koine_http_requests_total')]).to.deep.equal([0, 0, 1]);
  });

  it('exports no gen_ai_* metrics without genaiSemconv', async () => {
    await start({});
    await complete(CHAT);
    await scrape(1);
    expect([...families.keys()].filter((name) => name.startsWith('gen_ai'))).to.deep.equal([]);
    expect(count('koine_upstream_duration_seconds')).to.equal(1);
  });
});
