import { expect } from 'chai';
import OpenAI from 'openai';
import type { Response } from 'openai/resources/responses/responses';
import { createKeepingVendor, type KeepingVendor } from './keeping-vendor.ts';
import { someTokens } from '../../matrix/wires.ts';
import { CHAT, entryOf, RESPONSES, startScene, type Scene } from '../../support/scene.ts';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { until } from '../../support/until.ts';

/** What `someTokens` cost at 1 and 10 USD per million. */
const INPUT = someTokens.fresh + someTokens.read + someTokens.write;
const CAP = 1_000;
const request = { model: RESPONSES, input: 'Hello', background: true, max_output_tokens: CAP } as const;

interface Totals {
  readonly exchanges: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly tokens: { readonly output: number };
}

describe('a background response', () => {
  let scene: Scene;
  let vendor: KeepingVendor;
  let client: OpenAI;
  before(async () => {
    const keys = { alice: { key: KEY, limits: [{ outputTokens: 20 * CAP, per: '1h' }] } };
    scene = await startScene({
      organizations: { acme: { projects: { web: { keys } } } },
      models: {
        [RESPONSES]: { ...entryOf(RESPONSES, 'responses'), price: { input: 1, output: 10 } },
        [CHAT]: { ...entryOf(CHAT, 'chat'), price: { input: 1, output: 10 } },
        'anthropic/claude-sonnet-4-5': { ...entryOf('anthropic/claude-sonnet-4-5'), price: { input: 1, output: 10 } },
      },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
    });
    client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0, timeout: 20_000 });
  });
  after(() => scene.stop());
  beforeEach(() => {
    vendor = createKeepingVendor();
    scene.upstream.answer = vendor.answer;
    scene.upstream.calls.length = 0;
  });

  const admin = async (path: string): Promise<unknown> =>
    JSON.parse((await send(scene.gateway.gateway.admin.url, { method: 'GET', path })).text) as unknown;
  /** The rows of the ledger, the newest first. */
  const rows = async (): Promise<readonly Record<string, unknown>[]> =>
    ((await admin('/admin/requests')) as { readonly requests: readonly Record<string, unknown>[] }).requests;
  const usedOutput = async (): Promise<number> => {
    const { limits } = (await admin('/admin/limits')) as {
      readonly limits: readonly { readonly unit: string; readonly used: number }[];
    };
    return limits.find(({ unit }) => unit === 'outputTokens')?.used ?? Number.NaN;
  };
  const linesOf = (id: string): readonly Readonly<Record<string, unknown>>[] =>
    scene.gateway.exchanges().filter((line) => line['request_id'] === id);
  const create = async (): Promise<{ readonly data: Response; readonly id: string }> => {
    const { data, request_id: id } = await client.responses.create(request).withResponse();
    return { data, id: id ?? '' };
  };
  const settledRow = async (id: string): Promise<Record<string, unknown>> => {
    let row: Record<string, unknown> | undefined;
    await until('its row is settled', async () => {
      row = (await rows()).find((found) => found['id'] === id);
      return row?.['outcome'] !== undefined && row['outcome'] !== null;
    });
    return row ?? {};
  };

  it('reserves what it can use until its end is seen by a poll of its client, and is settled once', async () => {
    const before = await usedOutput();
    const { data, id } = await create();
    expect(data).to.include({ status: 'queued' });
    expect(await usedOutput()).to.equal(before + CAP);
    expect(await client.responses.retrieve(data.id)).to.include({ status: 'queued' });
    expect(linesOf(id)).to.have.length(1);
    expect(linesOf(id)[0]).to.include({ outcome: 'unfinished', term: 'UF', operation: 'generate', actual: 0 });

    vendor.end(data.id);
    expect(await client.responses.retrieve(data.id)).to.include({ status: 'completed', output_text: 'Good day.' });
    expect(linesOf(id)).to.have.length(2);
    expect(linesOf(id)[1]).to.include({
      outcome: 'ok',
      operation: 'background',
      tokens_in: INPUT,
      tokens_out: someTokens.output,
      key_alias: 'alice',
    });
    expect(await usedOutput()).to.equal(before + someTokens.output);
    await client.responses.retrieve(data.id);
    expect(linesOf(id)).to.have.length(2);
    const row = await settledRow(id);
    expect(row).to.include({ outcome: 'ok', operation: 'generate', key: 'alice' });
    expect((await rows()).filter((found) => found['id'] === id)).to.have.length(1);
  });

  it('is settled by the gateway if its client never comes back', async () => {
    const before = await usedOutput();
    const { data, id } = await create();
    vendor.end(data.id);
    expect(await settledRow(id)).to.include({ outcome: 'ok' });
    expect(await usedOutput()).to.equal(before + someTokens.output);
    expect(vendor.kept.get(data.id)?.retrieved).to.equal(1);
  });

  it('is settled by the stream that its client reads', async () => {
    const { data, id } = await create();
    const stream = await client.responses.retrieve(data.id, { stream: true });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      if (types.length === 2) vendor.end(data.id);
    }
    expect(types.at(-1)).to.equal('response.completed');
    expect(linesOf(id)).to.have.length(2);
    expect(await settledRow(id)).to.include({ outcome: 'ok' });
    expect(vendor.kept.get(data.id)?.retrieved).to.be.at.most(2);
  });

  it('a stream begins with its first event, and one that breaks is continued from an event on', async () => {
    const stream = await client.responses.create({ ...request, stream: true });
    let id = '';
    let last = -1;
    const failure = await (async () => {
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id;
        last = event.sequence_number;
        if (last === 1) vendor.cut(id);
      }
    })().catch((error: unknown) => error);
    expect(failure === undefined || failure instanceof Error).to.equal(true);
    vendor.end(id);
    const rest = await Array.fromAsync(await client.responses.retrieve(id, { stream: true, starting_after: 1 }));
    expect(rest[0]?.sequence_number).to.equal(2);
    expect(rest.at(-1)?.type).to.equal('response.completed');
    const ends = () => scene.gateway.exchanges().filter(({ operation }) => operation === 'background');
    await until('it is settled', () => ends().at(-1)?.['outcome'] === 'ok');
  });

  // The end of these tests finds errors in the log.
  it('a client that leaves a stream is no failure of the gateway', async () => {
    const { data, id } = await create();
    const stream = await client.responses.retrieve(data.id, { stream: true });
    for await (const { type } of stream) if (type === 'response.in_progress') break;
    vendor.end(data.id);
    expect(await settledRow(id)).to.include({ outcome: 'ok' });
  });

  it('a stream that is read to its end is one request like others', async () => {
    const since = scene.gateway.exchanges().length;
    for await (const event of await client.responses.create({ ...request, stream: true }))
      if (event.type === 'response.in_progress') vendor.end(event.response.id);
    await until('it is logged', () => scene.gateway.exchanges().length > since);
    expect(scene.gateway.exchanges().slice(since)).to.have.length(1);
    expect(scene.gateway.exchanges().at(-1)).to.include({ outcome: 'ok', tokens_out: someTokens.output });
  });

  it('is settled when it is cancelled, with its input if the model does not reason', async () => {
    const before = await usedOutput();
    const { data, id } = await create();
    expect(await client.responses.cancel(data.id)).to.include({ status: 'cancelled' });
    expect(linesOf(id)[1]).to.include({ outcome: 'client_closed', tokens_estimated: true, tokens_out: 0 });
    expect(await usedOutput()).to.equal(before);
  });

  it('is settled when it fails', async () => {
    const { data, id } = await create();
    vendor.end(data.id, 'failed');
    expect(await client.responses.retrieve(data.id)).to.include({ status: 'failed' });
    expect(linesOf(id)[1]).to.include({ outcome: 'upstream_error' });
  });

  it('is charged what was reserved if it is deleted before its end', async () => {
    const { data, id } = await create();
    await client.responses.delete(data.id);
    expect(linesOf(id)[1]).to.include({ outcome: 'unfinished', tokens_estimated: true, tokens_out: CAP });
  });

  it('counts in the metrics, its end under an operation of its own, and its tokens once', async () => {
    const { text } = await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics' });
    const lines = text.split('\n');
    expect(
      lines.some((line) => line.includes('operation="background"') && line.startsWith('koine_http_requests_total')),
    ).to.equal(true);
    expect(lines.find((line) => line.startsWith('koine_background_responses '))).to.equal(
      'koine_background_responses 0',
    );
  });

  for (const [model, what] of [
    [CHAT, 'a model on another wire'],
    ['anthropic/claude-sonnet-4-5', 'a model of another vendor'],
  ] as const)
    it(`is refused by name for ${what}, and nothing is sent`, async () => {
      const error = await client.responses.create({ ...request, model }).catch((thrown: unknown) => thrown);
      expect(error).to.include({ status: 400, param: 'background' });
      expect(String(error)).to.include("Leave it out, with 'stream' for a long response");
      expect(scene.upstream.calls).to.have.length(0);
    });

  it('the usage of all of them is that of their rows', () =>
    until('each row is settled and counted', async () => {
      const { totals } = (await admin('/admin/usage')) as { readonly totals: Totals };
      const all = (await rows()).filter(({ state }) => state !== 'refused');
      return all.every(({ state }) => state === 'settled') && totals.exchanges === all.length;
    }));
});
