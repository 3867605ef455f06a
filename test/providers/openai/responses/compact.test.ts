import { expect } from 'chai';
import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  createLossList,
  createProfile,
  createReadContext,
  createWriteContext,
} from '../../../../core/testing/index.ts';
import { responsesCompactCodec } from '../../../../providers/openai/responses/compact.ts';

const { client, upstream } = responsesCompactCodec;
if (client === undefined || upstream?.native === undefined) throw new Error('the codec lacks a half');
const { native } = upstream;

const inboundOf = (body: JsonObject) => ({ raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} });
const decode = (body: JsonObject): GenerateRequest => client.decodeRequest(inboundOf(body)).request;
const items = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  { type: 'compaction', encrypted_content: 'EARLIER' },
];
const body: JsonObject = { model: 'gpt', input: items, instructions: 'Be brief.', prompt_cache_key: 'k' };
const answer: JsonObject = {
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1,
  output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'ENCRYPTED' }],
  usage: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
  colour: 'red',
};

describe('responses: compaction', () => {
  it('a translated compaction has the members of the client, and none that the gateway adds to responses', () => {
    const { losses, lose } = createLossList();
    const request = decode({ ...body, service_tier: 'flex' });
    const { body: written } = upstream.encodeRequest(request, createProfile('responses'), lose);
    expect(JSON.parse(JSON.stringify(written))).to.deep.equal({ ...body, model: 'model', service_tier: 'flex' });
    expect(losses).to.deep.equal([]);
  });

  it('a compaction is never streamed', () => {
    expect(decode({ ...body, stream: true }).stream).to.equal(false);
  });

  it('a translated compaction is written as the vendor sent it, and its usage is read', () => {
    const read = upstream.decodeResponse(answer, createReadContext());
    expect(read.usage).to.include({ inputUncached: 10, output: 4 });
    expect(client.encodeResponse(read, createWriteContext<'compact'>(decode(body)))).to.deep.equal(answer);
  });

  it('an error in place of a compaction is thrown, and so is a body without output', () => {
    const read = (found: unknown) => () => upstream.decodeResponse(found, createReadContext());
    expect(read({ error: { message: 'later', type: 'server_error' } })).to.throw('later');
    for (const found of [{}, [], null, { output: 'x' }]) expect(read(found)).to.throw('The response of the provider');
  });

  it('changes nothing but the model on the native lane, and reads the usage', () => {
    const inbound = inboundOf(body);
    const plan = native(inbound, decode(body), createProfile('responses'));
    expect(plan?.edits).to.deep.equal([{ member: 'model', value: 'model' }]);
    expect(plan?.addToResponse).to.equal(undefined);
    const tap = plan?.tap();
    tap?.inspectBody(answer);
    expect(tap?.observed.error).to.equal(undefined);
    expect(tap?.observed.usage).to.include({ inputUncached: 10, output: 4 });
  });
});
