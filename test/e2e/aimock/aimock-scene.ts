import { LLMock } from '@copilotkit/aimock';
import { expect } from 'chai';
import { kinds, type Kind } from '../../conformance/kinds.ts';
import { wireNames } from '../../matrix/wires.ts';
import { quick } from '../../support/failover-scene.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { until } from '../../support/until.ts';

export const TEXT = 'Good day to you, and a very pleasant evening.';
/** The kinds of targets that aimock serves. The model of the last one is called over the responses wire. */
export const aimockKinds: readonly (Kind & { readonly wire?: string })[] = [
  ...kinds.filter(({ name }) => name !== 'simulator'),
  {
    name: 'responses',
    provider: (url) => ({ use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${url}/v1` } }),
    model: 'gpt-4.1-mini',
    wire: 'responses',
  },
];
/** A target behind which the upstream fails as the prompt says. */
export const modelOf = (kind: string): string => `only/${kind}`;
/** The same, and a second one that never fails. */
export const safeModelOf = (kind: string): string => `safe/${kind}`;

export const tokens = { input: 21, output: 12 } as const;
/** In the words of every wire. */
const usage = {
  prompt_tokens: tokens.input,
  input_tokens: tokens.input,
  promptTokenCount: tokens.input,
  completion_tokens: tokens.output,
  output_tokens: tokens.output,
  candidatesTokenCount: tokens.output,
  total_tokens: tokens.input + tokens.output,
  totalTokenCount: tokens.input + tokens.output,
};

/** Prompts on which aimock fails, before the response and within its stream. */
export const faults = {
  drop: { chaos: { dropRate: 1 } },
  malformed: { chaos: { malformedRate: 1 } },
  rateLimit: { chaos: { rateLimitRate: 1 } },
  disconnect: { chaos: { disconnectRate: 1 } },
  slow: { chaos: { latencyMs: 300 } },
  truncated: { chunkSize: 4, latency: 5, truncateAfterChunks: 8 },
} as const;
export type Fault = keyof typeof faults;

export interface AimockScene {
  readonly gateway: TestGateway;
  /** Expects that each exchange since then has one line and one settled row, and that nothing is left reserved. */
  expectSettled(since: number): Promise<void>;
  stop(): Promise<void>;
}

const startMock = async (isFaulty: boolean): Promise<LLMock> => {
  const mock = new LLMock({ port: 0 });
  mock.on(
    { predicate: ({ tools = [], messages }) => tools.length > 0 && messages.at(-1)?.role !== 'tool' },
    ({ tools: [tool] = [] }) => ({
      toolCalls: [{ name: tool?.function.name ?? '', arguments: '{"city":"Paris"}' }],
    }),
  );
  if (isFaulty)
    for (const [name, options] of Object.entries(faults))
      mock.on({ userMessage: `Fault: ${name}` }, { content: TEXT }, options);
  mock.on({}, { content: TEXT, usage }, { chunkSize: 4 });
  await mock.start();
  return mock;
};

/** A gateway with every kind of target at aimock: https://github.com/CopilotKit/aimock */
export async function startAimockScene(): Promise<AimockScene> {
  const [mock, healthy] = [await startMock(true), await startMock(false)];
  const wires = Object.values(wireNames);
  const price = { input: 1, output: 10 };
  const good = aimockKinds.find(({ name }) => name === 'chat-completions')!;
  const second = { provider: 'healthy', model: good.model };
  const entries = aimockKinds.flatMap(({ name, model, wire }) => {
    const target = { provider: name, model, ...(wire === undefined ? {} : { wire }) };
    return [
      [modelOf(name), { wires, price, targets: [target] }],
      [safeModelOf(name), { wires, price, targets: [target, second] }],
    ];
  });
  const keys = { alice: { key: KEY, limits: [{ concurrent: 100 }] } };
  const gateway = await startTestGateway({
    providers: {
      ...Object.fromEntries(aimockKinds.map(({ name, provider }) => [name, provider(mock.url)])),
      healthy: good.provider(healthy.url),
    },
    models: Object.fromEntries(entries) as object,
    organizations: { acme: { projects: { web: { keys } } } },
    plugins: [
      { use: 'metrics' },
      { use: 'auth' },
      { use: 'failover', config: quick },
      { use: 'rate-limit' },
      { use: 'ledger' },
    ],
  });
  const read = async (path: string): Promise<string> =>
    (await send(gateway.gateway.admin.url, { method: 'GET', path, headers: {} })).text;
  type Row = Readonly<Record<string, unknown>>;
  return {
    gateway,
    expectSettled: async (since) => {
      const ids = gateway
        .exchanges()
        .slice(since)
        .map((line) => line['request_id']);
      expect(new Set(ids).size).to.equal(ids.length);
      let rows: readonly Row[] = [];
      // Newest first, with some rows of earlier exchanges.
      const path = `/admin/requests?limit=${2 * ids.length + 5}`;
      await until('every row is settled', async () => {
        rows = (JSON.parse(await read(path)) as { readonly requests: readonly Row[] }).requests;
        return ids.every((id) => rows.some((row) => row['id'] === id && typeof row['outcome'] === 'string'));
      });
      for (const id of ids) expect(rows.filter((row) => row['id'] === id)).to.have.length(1);
      const { limits } = JSON.parse(await read('/admin/limits')) as { readonly limits: readonly Row[] };
      expect(limits.map(({ unit, used }) => [unit, used])).to.deep.equal([['concurrent', 0]]);
    },
    stop: async () => {
      await gateway.stop();
      await mock.stop();
      await healthy.stop();
    },
  };
}
