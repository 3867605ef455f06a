import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import OpenAI from 'openai';
import { CHAT, MESSAGES, sceneModels, startScene, type Scene } from '../../support/scene.ts';
import { KEY } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { answerJson } from '../../support/upstream.ts';
import { say, type Said } from '../../extensions/guarded-upstream.ts';

const other = 'other-key-0123456789abcdef';
const card = '4111 1111 1111 1111';
/** Longer than what is held back. */
const filler = 'All is well. '.repeat(60);
const rules = [
  { name: 'cards', detect: ['card-numbers', 'emails'], replacement: '[removed]' },
  { name: 'codename', patterns: ['(?i)project\\s{1,3}x'], action: 'refuse', message: 'Not about that project.' },
  { name: 'tickets', patterns: ['\\bACME-\\d{2,6}\\b'], action: 'log' },
  { name: 'team', patterns: ['kiosk'], keys: ['acme/web/bob'] },
  { name: 'serials', patterns: ['KEY(?:-[A-Z]{4}){2,6}'], replacement: '[serial]' },
  { name: 'fast', patterns: ['slowly'], in: ['input'], models: [MESSAGES] },
];

describe('a gateway with the content filter', () => {
  let scene: Scene;
  let said: Said = {};
  let folder: ReturnType<typeof createTemporaryFolder>;
  before(async () => {
    folder = createTemporaryFolder();
    scene = await startScene({
      plugins: [
        { use: 'auth' },
        { use: 'ledger', config: { spool: { path: join(folder.path, 'spool') } } },
        { use: 'metrics' },
        { use: 'content-filter', config: { rules } },
      ],
      store: { database: `sqlite:${folder.path}/koine.db` },
      models: {
        ...sceneModels,
        'openai/text-embedding-3-small': {
          wires: ['embeddings'],
          targets: [{ provider: 'openai', model: 'text-embedding-3-small' }],
        },
      },
      aliases: { quick: MESSAGES },
      organizations: { acme: { projects: { web: { keys: { alice: { key: KEY }, bob: { key: other } } } } } },
    });
    scene.upstream.answer = (response, call) => say(said, response, call);
  });
  beforeEach(() => {
    said = { text: ['Hello.'] };
    scene.upstream.calls.length = 0;
  });
  after(async () => {
    await scene.stop();
    folder.remove();
  });

  const openai = (apiKey = KEY) => new OpenAI({ apiKey, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  const anthropic = () => new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
  const ask = (content: string, { model = CHAT, key = KEY } = {}) =>
    openai(key).chat.completions.create({ model, messages: [{ role: 'user', content }] });
  const stream = async (content = 'Hi'): Promise<{ readonly text: string; readonly finish: string | null }> => {
    let [text, finish]: [string, string | null] = ['', null];
    const messages = [{ role: 'user' as const, content }];
    for await (const { choices } of await openai().chat.completions.create({ model: CHAT, messages, stream: true })) {
      text += choices[0]?.delta.content ?? '';
      finish ??= choices[0]?.finish_reason ?? null;
    }
    return { text, finish };
  };
  const sent = () => JSON.stringify(scene.upstream.calls.at(-1)?.body['messages']);
  const isLogged = async (id: string | null | undefined): Promise<Readonly<Record<string, unknown>>> => {
    const find = () => scene.gateway.exchanges().find((line) => line['request_id'] === id);
    await until('the exchange is logged', () => find() !== undefined);
    return find() ?? {};
  };

  it('redacts personal data of requests on both wires, in prompts, results of tools and their arguments', async () => {
    await ask(`Pay with ${card}, and write to joe@example.com.`);
    expect(sent()).to.include('Pay with [removed], and write to [removed].');
    await anthropic().messages.create({
      model: MESSAGES,
      max_tokens: 50,
      messages: [
        { role: 'user', content: 'Look it up.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'pay', input: { card: 4111111111111111, to: 'a@b.example' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: `paid by ${card}` }] },
      ],
    });
    expect(sent()).to.include('"input":{"card":0,"to":"[removed]"}').and.to.include('paid by [removed]');
  });

  it('redacts the inputs of embeddings', async () => {
    scene.upstream.answer = (response) =>
      answerJson(response, {
        object: 'list',
        model: 'm',
        data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.5] })),
        usage: { prompt_tokens: 3, total_tokens: 3 },
      });
    const model = 'openai/text-embedding-3-small';
    await openai().embeddings.create({ model, input: [`card ${card}`, 'none'], encoding_format: 'float' });
    scene.upstream.answer = (response, call) => say(said, response, call);
    expect(scene.upstream.calls[0]?.body['input']).to.deep.equal(['card [removed]', 'none']);
  });

  it('refuses a request in the wire of its client, before anything is sent', async () => {
    const refusal = { status: 400, message: 'Not about that project.' };
    const body = { model: MESSAGES, max_tokens: 50, messages: [{ role: 'user' as const, content: 'project  x?' }] };
    for (const call of [() => ask('What is Project X?'), () => anthropic().messages.create(body)]) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown as { readonly status: number; readonly message: string },
      );
      expect(error?.status).to.equal(refusal.status);
      expect(error?.message).to.include(refusal.message);
    }
    expect(scene.upstream.calls).to.deep.equal([]);
  });

  it('redacts responses, plain and streamed, also where a stream splits what is found', async () => {
    said = { text: [filler, 'Card 4111 11', '11 1111 1', '111, mail jo', 'e@exam', 'ple.com. ', filler] };
    const expected = `${filler}Card [removed], mail [removed]. ${filler}`;
    const plain = await ask('Hi');
    expect(plain.choices[0]?.message.content).to.equal(expected);
    expect(await stream()).to.deep.equal({ text: expected, finish: 'stop' });
    const message = anthropic().messages.stream({
      model: MESSAGES,
      max_tokens: 50,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(await message.finalText()).to.equal(expected);
  });

  it('no piece is sent where each delta has one character, also of what becomes longer with each', async () => {
    said = { text: [filler, ...`x ${card.replaceAll(' ', '-')} y joe@example.community z`, filler] };
    expect((await stream()).text).to.equal(`${filler}x [removed] y [removed] z${filler}`);
  });

  it('redacts all of what becomes longer, where a stream pauses between two ends that it could have', async () => {
    said = { text: [filler, 'It is KEY-ABCD-EFGH-I', 'JKL-MNOP.', filler] };
    expect((await stream()).text).to.equal(`${filler}It is [serial].${filler}`);
  });

  it('refuses a response, and nothing of what was found is sent', async () => {
    said = { text: [filler, 'It is pro', 'ject', '  X, you know.', filler] };
    const { text, finish } = await stream();
    expect(finish).to.equal('content_filter');
    expect(`${filler}It is project`.startsWith(text) && text.length > 100).to.equal(true);
    expect(text).to.not.match(/project\s+x/i);
  });

  it('redacts arguments of tools, and refuses what cannot be redacted in JSON', async () => {
    said = { input: ['{"card": 41111111', '11111111, "to": "joe@ex', 'ample.com"}'] };
    const plain = await ask('Hi');
    const call = plain.choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined).to.deep.equal({
      card: 0,
      to: '[removed]',
    });
    said = { input: ['{"mail": "\\u006aoe@example.com"}'] };
    const refused = await ask('Hi');
    expect(refused.choices[0]?.finish_reason).to.equal('content_filter');
  });

  it('records what was found in the access log, the ledger and a metric', async () => {
    said = { text: ['See ACME-1234.'] };
    const { response, data } = await openai()
      .chat.completions.create({ model: CHAT, messages: [{ role: 'user', content: `Pay with ${card}.` }] })
      .withResponse();
    expect(data.choices[0]?.message.content).to.equal('See ACME-1234.');
    const id = response.headers.get('x-request-id');
    expect((await isLogged(id))['fields']).to.deep.equal({ 'content-filter.matched': 'cards tickets' });
    const database = new DatabaseSync(join(folder.path, 'koine.db'), { timeout: 20_000 });
    const read = (): unknown => database.prepare('select tags from ledger where id = ?').get(id)?.['tags'];
    await until('the row is written', () => read() !== undefined);
    expect(JSON.parse(String(read()))).to.deep.equal({ 'content-filter.matched': 'cards tickets' });
    database.close();
    const metrics = await (await fetch(`${scene.gateway.gateway.admin?.url}/metrics`)).text();
    expect(metrics).to.match(/koine_content_filter_matches_total\{rule="tickets",in="output",action="log"\} 1/);
    expect(JSON.stringify(scene.gateway.lines)).to.not.include(card);
  });

  it('rules are for the keys and models that they name, also behind an alias', async () => {
    await ask('the kiosk', { key: KEY });
    expect(sent()).to.include('the kiosk');
    await ask('the kiosk', { key: other });
    expect(sent()).to.include('the [redacted]');
    await ask('go slowly');
    expect(sent()).to.include('go slowly');
    await ask('go slowly', { model: 'quick' });
    expect(sent()).to.include('go [redacted]');
  });

  it('a request without a finding is sent with the bytes of its client', async () => {
    const { response } = await openai()
      .chat.completions.create({ model: CHAT, messages: [{ role: 'user', content: 'Hi' }] })
      .withResponse();
    // The guard of the responses alone is why the lane is not native.
    expect(response.headers.get('x-koine-lane')).to.equal('translated');
    expect(sent()).to.equal('[{"role":"user","content":"Hi"}]');
  });
});
