import { expect } from 'chai';
import OpenAI from 'openai';
import { sealSummary } from '../../../core/api/codec.ts';
import { definePlugin, type Draft } from '../../../core/api/index.ts';
import { say, type Said } from '../../extensions/guarded-upstream.ts';
import { builtIns, KEY } from '../../support/gateway.ts';
import { CHAT, startScene, type Scene } from '../../support/scene.ts';

/** Longer than what is held back. */
const filler = 'All is well. '.repeat(60);
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const see = (text: string): string => text.normalize('NFKC').replaceAll(HIDDEN, '');

/** Adds a turn, after which the body no longer says what is sent. */
const adder = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'adder',
  schema: { type: 'object' },
  create: () => ({
    rewrite: ({ request, headers }: Draft) =>
      'turns' in request && headers['x-add'] !== undefined
        ? {
            request: {
              ...request,
              turns: [{ role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] }, ...request.turns],
            },
          }
        : undefined,
  }),
});

describe('the content filter and the spellings of a text', () => {
  let scene: Scene;
  let said: Said = {};
  before(async () => {
    const rules = [{ name: 'mail', detect: ['emails'] }];
    scene = await startScene(
      { plugins: [{ use: 'auth' }, { use: 'adder' }, { use: 'content-filter', config: { rules } }] },
      { ...builtIns, plugin: { ...builtIns.plugin, adder } },
    );
    scene.upstream.answer = (response, call) => say(said, response, call);
  });
  after(() => scene.stop());

  const create = (more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    new OpenAI({
      apiKey: KEY,
      baseURL: `${scene.gateway.url}/v1`,
      maxRetries: 0,
      defaultHeaders: headers,
    }).chat.completions.create({ model: CHAT, messages: [{ role: 'user', content: 'Hi' }], ...more });
  const stream = async (text: readonly string[]): Promise<string> => {
    said = { text };
    let received = '';
    const completion = await new OpenAI({
      apiKey: KEY,
      baseURL: `${scene.gateway.url}/v1`,
      maxRetries: 0,
    }).chat.completions.create({ model: CHAT, messages: [{ role: 'user', content: 'Hi' }], stream: true });
    for await (const { choices } of completion) received += choices[0]?.delta.content ?? '';
    return received;
  };

  const padded: Readonly<Record<string, string>> = {
    'with a zero-width space after each character': [...'joe@example.com'].join('\u200B'),
    'in fullwidth letters': 'joe＠ｅｘａｍｐｌｅ．com',
    'in mathematical letters with tags between them': [...'𝐣𝐨𝐞@𝐞𝐱𝐚𝐦𝐩𝐥𝐞.com'].join('\u{E0062}'),
    'with more hidden characters than are held back': [...'joe@example.com'].join('\u2060'.repeat(300)),
  };
  for (const [how, address] of Object.entries(padded)) {
    it(`nothing of an address ${how} is sent in a stream of small pieces`, async () => {
      const pieces = `x ${address} y`.match(address.length > 1_000 ? /.{1,100}/gsu : /./gsu) ?? [];
      const received = await stream([filler, ...pieces, filler]);
      expect(see(received)).to.equal(`${filler}x [redacted] y${filler}`);
    });
  }

  it('leaves hidden characters of a language and of pictures as they are', async () => {
    const text = `می\u200Cخواهم ${'👩\u200D👩\u200D👧 '.repeat(40)} naïve co\u00ADoperate ½`;
    expect(await stream([filler, ...text, filler])).to.equal(`${filler}${text}${filler}`);
  });

  it('searches a summary in the place of encrypted content, which a client can write itself', async () => {
    said = { text: ['Hello.'] };
    const client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
    const item = { type: 'compaction' as const, encrypted_content: sealSummary('Write to joe@example.com.') };
    await client.responses.create({ model: CHAT, input: [item, { role: 'user', content: 'Go on.' }] });
    const sent = JSON.stringify(scene.upstream.calls.at(-1)?.body);
    expect(sent).to.include('Write to [redacted].').and.include('Go on.').and.not.include('example.com');
  });

  it('searches what an earlier plugin has made of a request, members of one wire included', async () => {
    said = { text: ['Hello.'] };
    const content = [
      { type: 'text', text: 'joe@exam' },
      { type: 'text', text: 'ple.com' },
    ];
    const more = { messages: [{ role: 'user', content }], stop: ['joe＠example.com'], house_notes: 'joe@example.com' };
    await create(more, { 'x-add': 'yes' });
    const sent = JSON.stringify(scene.upstream.calls.at(-1)?.body);
    expect(sent).to.include('Be kind.').and.to.include('"stop":["[redacted]"]');
    expect(sent)
      .to.include('"house_notes":"[redacted]"')
      .and.to.not.match(/joe|example\.com|ple\.com/);
  });
});
