import { expect } from 'chai';
import type { ClientSide, Codec, UpstreamSide } from '../../../../core/api/codec.ts';
import { countLaws, type Recording } from '../../../../core/testing/index.ts';
import { messagesCountCodec } from '../../../../providers/anthropic/messages/count-tokens.ts';

const { client, upstream } = messagesCountCodec;
if (client === undefined || upstream === undefined) throw new Error('the codec under test has both sides');

type CountCodec = Codec<'count-tokens'>;
const recordings: readonly Recording[] = [
  {
    name: 'plain',
    origin: 'written by hand after https://platform.claude.com/docs/en/api/messages-count-tokens',
    wire: 'messages',
    request: {
      headers: { 'anthropic-version': '2023-06-01' },
      body: {
        model: 'claude',
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Hello' }],
        tools: [{ name: 'f', description: 'does it', input_schema: { type: 'object' } }],
      },
    },
    response: { status: 200, body: { input_tokens: 14 } },
    expected: { inputTokens: 14 },
  },
  { name: 'foreign', origin: 'written by hand', wire: 'elsewhere', request: { body: null } },
];

const brokenLaws = async (codec: CountCodec): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const { name, run } of countLaws(codec, recordings, { refused: ['max_tokens', 'stream'] })) {
    try {
      await run();
    } catch {
      broken.push(name.replace('messages: ', ''));
    }
  }
  return broken;
};
const withClient = (change: Partial<ClientSide<'count-tokens'>>): CountCodec => ({
  ...messagesCountCodec,
  client: { ...client, ...change },
});
const withUpstream = (change: Partial<UpstreamSide<'count-tokens'>>): CountCodec => ({
  ...messagesCountCodec,
  upstream: { ...upstream, ...change },
});

describe('the laws of counts', () => {
  it('the count laws pass for a correct codec', async () => {
    expect(await brokenLaws(messagesCountCodec)).to.deep.equal([]);
  });
  it('the count laws ignore recordings of other wires', () => {
    expect(countLaws(messagesCountCodec, recordings).some(({ name }) => name.includes('foreign'))).to.equal(false);
  });

  const defects: readonly (readonly [defect: string, codec: CountCodec, law: string])[] = [
    [
      'tools that are not counted',
      withUpstream({
        encodeRequest: (request, profile, lose) => upstream.encodeRequest({ ...request, tools: [] }, profile, lose),
      }),
      'counts all of a prompt with tools',
    ],
    [
      'a member that the endpoint refuses',
      withUpstream({
        encodeRequest: (request, profile, lose) => {
          const { body, headers } = upstream.encodeRequest(request, profile, lose);
          return { body: { ...body, max_tokens: 1 }, headers };
        },
      }),
      'counts all of a prompt with a question',
    ],
    [
      'a system prompt that both sides lose',
      withClient({
        decodeRequest: (inbound) => {
          const { model, request } = client.decodeRequest(inbound);
          return { model, request: { ...request, turns: request.turns.filter(({ role }) => role !== 'system') } };
        },
      }),
      'keeps every text of the count of plain',
    ],
    [
      'a prompt that changes on its way',
      withUpstream({
        encodeRequest: (request, profile, lose) =>
          upstream.encodeRequest({ ...request, turns: request.turns.slice(1) }, profile, lose),
      }),
      'a round trip preserves the count of plain',
    ],
    [
      'members that are forgotten',
      withClient({
        decodeRequest: (inbound) => {
          const { model, request } = client.decodeRequest(inbound);
          return { model, request: { ...request, extra: { wire: 'messages', members: {} } } };
        },
      }),
      'keeps an unknown member in the count of plain',
    ],
    [
      'a TypeError on odd input',
      withClient({
        decodeRequest: (inbound) => {
          void (inbound.body as { messages: { role: string }[] }).messages.map(({ role }) => role.trim());
          return client.decodeRequest(inbound);
        },
      }),
      'refuses junk in the count of plain',
    ],
    [
      'a count that is off',
      withClient({ encodeResponse: ({ inputTokens }) => ({ input_tokens: inputTokens + 1 }) }),
      'a round trip preserves a count',
    ],
    [
      'a count that is none',
      withUpstream({
        decodeResponse: (body) => ({
          inputTokens: Number((body as { input_tokens: unknown }).input_tokens),
          estimated: false,
        }),
      }),
      'decodes the count of plain as expected, and refuses junk in its place',
    ],
    [
      'an error that changes sides',
      withClient({ encodeError: (error, context) => ({ ...client.encodeError(error, context), status: 500 }) }),
      'reads errors with unexpected bodies',
    ],
  ];
  for (const [defect, codec, law] of defects) {
    it(`the count laws detect ${defect}`, async () => {
      expect(await brokenLaws(codec)).to.include(law);
    });
  }
});
