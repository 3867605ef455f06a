import { expect } from 'chai';
import { userTurn } from '../../matrix/sample-bodies.ts';
import { pairOf, wires, type Json, type Wire } from '../../matrix/wires.ts';
import { callOf, greet } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { readRefusal, type Refusal } from '../../support/refusals.ts';
import { CHAT, entryOf, GOOGLE, MESSAGES, modelIds, sceneModels, startScene, type Scene } from '../../support/scene.ts';

const BLIND = 'openai/gpt-4';
const megabyte = 1_048_576;
/** Base64 of so many bytes. */
const base64 = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64');
/** An image of so many bytes in the user's first turn. */
const images: Readonly<Record<Wire, (bytes: number) => Json>> = {
  chat: (bytes) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${base64(bytes)}` } }),
  messages: (bytes) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(bytes) } }),
  responses: (bytes) => ({ type: 'input_image', image_url: `data:image/png;base64,${base64(bytes)}` }),
  google: (bytes) => ({ inlineData: { mimeType: 'image/png', data: base64(bytes) } }),
};
/** Where each wire has what the user says, and the parts of it. */
const turns: Readonly<Record<Wire, string>> = {
  chat: 'messages',
  messages: 'messages',
  responses: 'input',
  google: 'contents',
};
const partsOf: Readonly<Record<Wire, string>> = {
  chat: 'content',
  messages: 'content',
  responses: 'content',
  google: 'parts',
};
const imageAt: Readonly<Record<Wire, string>> = {
  chat: 'image_url',
  messages: 'source.data',
  responses: 'image_url',
  google: 'inlineData.data',
};

const sayParts = (client: Wire, ...parts: readonly Json[]): Json => ({
  [turns[client]]: [{ role: 'user', [partsOf[client]]: parts }],
});

/** What only the vendors of one wire can do for its clients. */
interface Own {
  readonly name: string;
  readonly client: Wire;
  readonly more: Json;
  /** In the refusal. */
  readonly word: RegExp;
}
const kept = (name: string, more: Json, word = new RegExp(name)): Own => ({
  name: `what is kept at the vendor: ${name}`,
  client: 'responses',
  more,
  word,
});
const hosted = (client: Wire, name: string, tool: Json): Own => ({
  name: `a tool that runs at the vendor: ${name}`,
  client,
  more: { tools: [tool] },
  word: new RegExp(name),
});
const fileOf = (client: Wire, name: string, part: Json): Own => ({
  name: `a file by its id: ${name}`,
  client,
  more: sayParts(client, part),
  word: /file/i,
});
const own = (name: string, client: Wire, more: Json): Own => ({
  name: `what only a vendor of the wire does: ${name}`,
  client,
  more,
  word: new RegExp(`${name}.*choose a model of such a vendor`),
});
const owns: readonly Own[] = [
  hosted('messages', 'web_fetch_20250910', { type: 'web_fetch_20250910', name: 'web_fetch' }),
  hosted('messages', 'code_execution_20250522', { type: 'code_execution_20250522', name: 'code_execution' }),
  ...['file_search', 'code_interpreter', 'mcp', 'image_generation', 'tool_search'].map((type) =>
    hosted('responses', type, { type }),
  ),
  ...['googleMaps', 'codeExecution', 'urlContext'].map((name) => hosted('google', name, { [name]: {} })),
  kept('previous_response_id', { previous_response_id: 'resp_1' }),
  kept('conversation', { conversation: 'conv_1' }),
  kept('conversation', { conversation: { id: 'conv_1' } }),
  kept('prompt', { prompt: { id: 'pmpt_1' } }),
  kept('background', { background: true }),
  own('moderation', 'chat', { moderation: { model: 'omni-moderation-latest' } }),
  own('moderation', 'responses', { moderation: { model: 'omni-moderation-latest' } }),
  own('compaction_trigger', 'responses', { input: [userTurn.responses('Hi'), { type: 'compaction_trigger' }] }),
  kept('input[1]', { input: [userTurn.responses('Hi'), { type: 'item_reference', id: 'msg_1' }] }, /input\[1\]/),
  { ...kept('cachedContent', { cachedContent: 'cachedContents/1' }), client: 'google' },
  fileOf('chat', 'file', { type: 'file', file: { file_id: 'file-1' } }),
  fileOf('messages', 'image', { type: 'image', source: { type: 'file', file_id: 'file_1' } }),
  fileOf('responses', 'input_file', { type: 'input_file', file_id: 'file-1' }),
  fileOf('responses', 'input_image', { type: 'input_image', file_id: 'file-1' }),
  fileOf('google', 'Files API', {
    fileData: { mimeType: 'image/png', fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' },
  }),
  fileOf('google', 'Cloud Storage', { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }),
];

/** OpenAI's two wires share its files. */
const isKin = (client: Wire, wire: Wire): boolean =>
  client === wire || [client, wire].every((one) => one === 'chat' || one === 'responses');

/** What a target cannot carry, or the gateway may not: a 400 that says so, and no call. */
describe('unsuitable requests', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ models: { ...sceneModels, [BLIND]: entryOf(BLIND) } });
    scene.upstream.answer = greet;
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const post = (client: Wire, model: string, more: Json): Promise<HttpReply> =>
    send(scene.gateway.url, callOf(client, model, { more }));
  const refused = async (client: Wire, model: string, more: Json): Promise<Refusal> => {
    const refusal = readRefusal(await post(client, model, more), client);
    expect(scene.upstream.calls).to.have.length(0);
    return refusal;
  };

  it('audio is refused for a vendor without audio', async () => {
    const refusal = await refused(
      'chat',
      MESSAGES,
      sayParts('chat', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
    );
    expect(refusal).to.include({ code: 'unsupported_parameter' }).and.have.property('message').that.includes('audio');
    const sound = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } };
    expect((await refused('google', MESSAGES, sayParts('google', sound))).message).to.include('audio');
    expect(
      (
        await refused(
          'responses',
          MESSAGES,
          sayParts('responses', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
        )
      ).message,
    ).to.include('audio');
    expect((await post('google', GOOGLE, sayParts('google', sound))).status).to.equal(200);
  });

  for (const { name, client, more, word } of owns) {
    const others = wires.filter((wire) => !(name.startsWith('a file') ? isKin(client, wire) : wire === client));
    for (const wire of others) {
      it(`the request is refused before anything is sent: ${name}, ${pairOf(client, wire)}`, async () => {
        expect((await refused(client, modelIds[wire], more)).message).to.match(word);
      });
    }
    it(`the request is accepted on its own wire: ${name}, ${client}`, async () => {
      const reply = await post(client, modelIds[client], more);
      expect([reply.status, reply.headers['x-koine-lane']]).to.deep.equal([200, 'native']);
      for (const [member, value] of Object.entries(more))
        expect(scene.upstream.calls[0]?.body[member]).to.deep.equal(value);
    });
  }

  for (const client of wires) {
    it(`an image is refused for a model without vision, on either lane: ${client}`, async () => {
      expect((await refused(client, BLIND, sayParts(client, images[client](10)))).message).to.match(/image/);
    });
    it(`an image of more than 5 MB is refused: ${client}`, async () => {
      const refusal = await refused(client, CHAT, sayParts(client, images[client](5 * megabyte + 1)));
      expect(refusal.message)
        .to.include(`${turns[client]}[0].${partsOf[client]}[0].${imageAt[client]}`)
        .and.include('5 MB');
      expect((await post(client, CHAT, sayParts(client, images[client](5 * megabyte)))).status).to.equal(200);
    });
    it(`images of more than 12 MB together are refused: ${client}`, async () => {
      const four = images[client](4 * megabyte);
      const refusal = await refused(client, CHAT, sayParts(client, four, four, images[client](4 * megabyte + 1)));
      expect(refusal.message)
        .to.include(`${turns[client]}[0].${partsOf[client]}[2].${imageAt[client]}`)
        .and.include('12 MB');
      expect((await post(client, CHAT, sayParts(client, four, four, four))).status).to.equal(200);
    });
  }
});
