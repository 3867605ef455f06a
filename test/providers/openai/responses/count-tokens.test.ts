import { expect } from 'chai';
import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  countLaws,
  createLossList,
  createProfile,
  createReadContext,
  createWriteContext,
  sampleRequests,
  type Recording,
} from '../../../../core/testing/index.ts';
import { responsesCountCodec } from '../../../../providers/openai/responses/count-tokens.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';

const { client, upstream } = responsesCountCodec;
if (client === undefined || upstream?.native === undefined) throw new Error('the codec lacks a half');
const { native } = upstream;

const inboundOf = (body: JsonObject) => ({ raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} });
const prompt: JsonObject = { model: 'gpt', input: 'Hello' };
const decode = (body: JsonObject): GenerateRequest => client.decodeRequest(inboundOf(body)).request;
const encode = (request: GenerateRequest) => {
  const { losses, lose } = createLossList();
  const { body } = upstream.encodeRequest(request, createProfile('responses'), lose);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
};
/** https://platform.openai.com/docs/api-reference/responses/input-tokens has none of them. */
const refused = [
  'include',
  'max_output_tokens',
  'metadata',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'temperature',
  'top_p',
  'user',
];

describe('responses: token counting', () => {
  it('sends the prompt without members that the endpoint does not have', () => {
    const { body, losses } = encode(
      decode({
        ...prompt,
        instructions: 'Be brief.',
        temperature: 0.5,
        max_output_tokens: 100,
        stream: true,
        metadata: { a: 'b' },
        user: 'u',
        truncation: 'auto',
      }),
    );
    expect(body).to.have.all.keys('model', 'instructions', 'input', 'truncation');
    expect(body).to.deep.include({ model: 'model', instructions: 'Be brief.', truncation: 'auto' });
    expect(losses).to.deep.equal([]);
  });

  it('reports no losses for members that do not affect the count', () => {
    const sampling = sampleRequests('messages').filter(([name]) => name === 'sampling');
    expect(sampling).to.have.lengthOf(1);
    for (const [, request] of sampling)
      expect(encode({ ...request, stream: true, choices: 3 }).losses).to.deep.equal([]);
  });

  it('responds to a token count in the shape that the SDK reads', () => {
    const context = createWriteContext<'count-tokens'>(decode(prompt));
    expect(client.encodeResponse({ inputTokens: 14, estimated: false }, context)).to.deep.equal({
      object: 'response.input_tokens',
      input_tokens: 14,
    });
  });

  it('reads the token count, or an error in its place', () => {
    const read = (body: unknown) => upstream.decodeResponse(body, createReadContext());
    expect(read({ object: 'response.input_tokens', input_tokens: 14 })).to.deep.equal({
      inputTokens: 14,
      estimated: false,
    });
    for (const body of [{}, [], null, { input_tokens: null }]) expect(() => read(body)).to.throw('has no token count');
    expect(() => read({ error: { message: 'later', type: 'server_error' } })).to.throw('later');
  });

  it('changes nothing but the model on the native lane', () => {
    const inbound = inboundOf({ ...prompt, personality: 'friendly' });
    const plan = native(inbound, client.decodeRequest(inbound).request, createProfile('responses'));
    expect(plan?.edits).to.deep.equal([{ member: 'model', value: 'model' }]);
    expect(plan?.addToResponse).to.equal(undefined);
    const tap = plan?.tap();
    tap?.inspectBody({ input_tokens: 14 });
    expect(tap?.observed).to.deep.equal({ outputChars: 0 });
    tap?.inspectBody({ object: 'response' });
    expect(tap?.observed.error).to.include({ code: 'upstream_bad_response' });
  });

  const recordings = readCorpus('count-tokens.jsonl', 'responses', (line) =>
    /"style": ?"openai-responses-input_tokens"/.test(line),
  );
  it('responses token counts have recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect(recordings).to.have.lengthOf(3);
  });
  const written: Recording = {
    name: 'written',
    origin: 'written by hand after https://platform.openai.com/docs/api-reference/responses/input-tokens',
    wire: 'responses',
    response: { status: 200, body: { object: 'response.input_tokens', input_tokens: 14 } },
    expected: { inputTokens: 14 },
  };
  for (const { name, run } of countLaws(responsesCountCodec, [written, ...recordings], { refused })) it(name, run);
});
