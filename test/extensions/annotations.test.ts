import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import OpenAI from 'openai';
import { definePlugin, type Annotations, type PluginInstance } from '../../core/api/index.ts';
import { startCollector, type Collector } from '../plugins/traces/collector.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { startScene, type Scene } from '../support/scene.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

let first: PluginInstance = {};
let second: PluginInstance = {};
const pluginOf = (name: string, hooks: () => PluginInstance) =>
  definePlugin({
    kind: 'plugin',
    apiVersion: 1,
    name,
    schema: { type: 'object' },
    create: () => ({
      enter: (head, caller) => hooks().enter?.(head, caller),
      admit: (exchange) => hooks().admit?.(exchange),
      observe: (exchange, attempt) => hooks().observe?.(exchange, attempt),
    }),
  });
const extensions = {
  ...builtIns,
  plugin: { ...builtIns.plugin, first: pluginOf('first', () => first), second: pluginOf('second', () => second) },
};

describe('the annotations of a plugin', () => {
  let scene: Scene;
  let collector: Collector;
  const annotated: string[] = [];
  let folder: ReturnType<typeof createTemporaryFolder>;
  before(async () => {
    folder = createTemporaryFolder();
    collector = await startCollector();
    const ledger = { spool: { path: join(folder.path, 'spool') } };
    const plugins = [
      { use: 'traces', config: { endpoint: collector.url } },
      { use: 'auth' },
      { use: 'ledger', config: ledger },
      { use: 'first' },
      { use: 'second' },
    ];
    scene = await startScene({ plugins, store: { database: `sqlite:${folder.path}/koine.db` } }, extensions);
  });
  beforeEach(() => {
    [first, second] = [{}, {}];
  });
  after(async () => {
    await scene.stop(/a plugin failed/);
    await collector.stop();
    folder.remove();
  });

  const chat = async (stream: boolean): Promise<string> => {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
    const body = { model: 'simulator/chat', messages: [{ role: 'user' as const, content: 'Hi' }] };
    const { data, response } = stream
      ? await client.chat.completions.create({ ...body, stream }).withResponse()
      : await client.chat.completions.create(body).withResponse();
    if (!('choices' in data)) for await (const _chunk of data);
    return response.headers.get('x-request-id') ?? '';
  };
  const messages = async (stream: boolean): Promise<string> => {
    const client = new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
    const body = { model: 'simulator/chat', max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hi' }] };
    if (!stream) return (await client.messages.create(body))._request_id ?? '';
    const streamed = client.messages.stream(body);
    await streamed.finalMessage();
    return streamed.request_id ?? '';
  };
  const lineOf = async (id: string) => {
    const find = () => scene.gateway.exchanges().find((line) => line['request_id'] === id);
    await until('the exchange is logged', () => find() !== undefined);
    return find() ?? {};
  };
  const tagsOf = async (id: string): Promise<unknown> => {
    const database = new DatabaseSync(`${folder.path}/koine.db`, { readOnly: true, timeout: 5_000 });
    const find = database.prepare("SELECT tags FROM ledger WHERE id = ? AND state = 'settled'");
    await until('the row is written', () => find.get(id) !== undefined);
    const tags = find.get(id)?.['tags'];
    database.close();
    return typeof tags === 'string' ? (JSON.parse(tags) as unknown) : tags;
  };
  const spanOf = async (id: string) => {
    const find = () => collector.spans.find(({ attributes }) => attributes['koine.request_id'] === id);
    await until('the span is exported', () => find() !== undefined);
    return find()?.attributes ?? {};
  };

  for (const [name, ask] of [
    ['chat', chat],
    ['messages', messages],
  ] as const) {
    for (const stream of [false, true]) {
      it(`are in the log line and the ledger (${name}, ${stream ? 'streamed' : 'plain'})`, async () => {
        const log: Record<string, string | number> = { status: 'mine' };
        first = {
          enter: () => ({ annotations: { log: { early: true } } }),
          admit: () => ({ annotations: { log, tags: { team: 'blue', seats: 3 }, span: { rule: 'r1' } } }),
          observe: (_exchange, { status }) => void (log['seen'] = status),
        };
        second = { admit: async () => ({ annotations: { tags: { team: 'green' }, span: { rule: 2 } } }) };
        const id = await ask(stream);
        const line = await lineOf(id);
        expect(line).to.include({ status: 200, outcome: 'ok' });
        expect(line['fields']).to.deep.equal({ 'first.early': true, 'first.status': 'mine', 'first.seen': 200 });
        expect(await tagsOf(id)).to.deep.equal({ 'first.team': 'blue', 'first.seats': 3, 'second.team': 'green' });
        annotated.push(id);
      });
    }
  }

  it('are attributes of the span, on every wire, plain and streamed', async () => {
    expect(annotated).to.have.length(4);
    for (const id of annotated) {
      expect(await spanOf(id)).to.deep.include({
        'koine.plugin.first.rule': 'r1',
        'koine.plugin.second.rule': 2,
        'koine.outcome': 'ok',
      });
    }
  });

  it('without annotations there is no member in the line, and no tags in the row', async () => {
    const id = await chat(false);
    expect(await lineOf(id)).to.not.have.property('fields');
    expect(await tagsOf(id)).to.equal(null);
  });

  it('texts are cut, and secrets in them are redacted', async () => {
    first = {
      admit: () => ({ annotations: { log: { long: 'x'.repeat(500), key: `a ${KEY}\n` }, tags: { key: KEY } } }),
    };
    const id = await chat(false);
    const fields = (await lineOf(id))['fields'];
    expect(fields).to.deep.equal({ 'first.long': 'x'.repeat(128), 'first.key': 'a [redacted]' });
    expect(await tagsOf(id)).to.deep.equal({ 'first.key': '[redacted]' });
  });

  const wrong: Readonly<Record<string, unknown>> = {
    'too many fields': Object.fromEntries(Array.from({ length: 11 }, (_field, index) => [`n${index}`, index])),
    'a name that is not valid': { 'a.b': 1 },
    'an object as a value': { a: { b: 1 } },
    'a number that JSON does not have': { a: Number.NaN },
    'a list of fields': ['a'],
  };
  for (const [what, tags] of Object.entries(wrong)) {
    it(`a group with ${what} is left out, and the log names the plugin`, async () => {
      first = { admit: () => ({ annotations: { tags, log: { kept: 1 } } as Annotations }) };
      const since = scene.gateway.lines.length;
      const id = await chat(false);
      expect((await lineOf(id))['fields']).to.deep.equal({ 'first.kept': 1 });
      expect(await tagsOf(id)).to.equal(null);
      const failures = scene.gateway.lines.slice(since).filter(({ text }) => text === 'a plugin failed');
      expect(failures.map(({ fields }) => fields['plugin'])).to.deep.equal(['first']);
    });
  }
});
