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
import { createCountEdits } from '../../../../providers/google/edits.ts';
import { generateContentCountCodec } from '../../../../providers/google/generate-content/count-tokens.ts';
import google from '../../../../providers/google/index.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';

const { client, upstream } = generateContentCountCodec;
if (client === undefined || upstream?.native === undefined) throw new Error('the codec lacks a half');
const { native } = upstream;

const profile = { ...createProfile('generate-content'), model: 'gemini-2.5-flash' };
const inboundOf = (body: JsonObject) => ({
  raw: Buffer.from(JSON.stringify(body)),
  body,
  headers: {},
  query: {},
  model: 'google/gemini',
});
const decode = (body: JsonObject): GenerateRequest => client.decodeRequest(inboundOf(body)).request;
const encode = (request: GenerateRequest) => {
  const { losses, lose } = createLossList();
  const { body } = upstream.encodeRequest(request, profile, lose);
  return { body: JSON.parse(JSON.stringify(body)) as { readonly generateContentRequest: JsonObject }, losses };
};
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const systemInstruction = { parts: [{ text: 'Be brief.' }] };
const textsOf = ({ turns }: GenerateRequest): readonly (readonly unknown[])[] =>
  turns.map(({ role, parts }) => [role, ...parts.flatMap((part) => (part.type === 'text' ? part.text : []))]);

describe('generate-content: counting tokens', () => {
  it('reads contents, and a nested request', () => {
    expect(client.decodeRequest(inboundOf({ contents })).model).to.equal('google/gemini');
    expect(textsOf(decode({ contents }))).to.deep.equal([['user', 'Hello']]);
    for (const name of ['generateContentRequest', 'generate_content_request']) {
      const whole = { [name]: { model: 'models/google/gemini', contents, systemInstruction } };
      expect(textsOf(decode(whole)), name).to.deep.equal([
        ['system', 'Be brief.'],
        ['user', 'Hello'],
      ]);
      expect(client.decodeRequest(inboundOf(whole))).to.deep.include({ model: 'google/gemini' });
    }
    for (const name of ['generateContentRequest', 'generate_content_request']) {
      expect(() => decode({ [name]: { contents: 7 } }), name).to.throw(`'${name}.contents'`);
      expect(() => decode({ [name]: { contents: [{ parts: [{ text: 7 }] }] } }), name).to.throw(
        `'${name}.contents[0].parts[0].text'`,
      );
      expect(() => decode({ [name]: 'Hello' }), name).to.throw(`'${name}' must be an object`);
    }
  });

  it('sends a nested request, so that system instruction and tools are counted', () => {
    const { body, losses } = encode(
      decode({ contents, systemInstruction, generationConfig: { temperature: 1, maxOutputTokens: 5 } }),
    );
    expect(body).to.have.all.keys('generateContentRequest');
    expect(body.generateContentRequest).to.have.all.keys('model', 'contents', 'systemInstruction');
    expect(body.generateContentRequest).to.deep.include({ model: 'models/gemini-2.5-flash', contents });
    expect(losses).to.deep.equal([]);
  });

  it('names no losses for members that are not counted', () => {
    const uncounted = sampleRequests('messages').filter(([name]) => name === 'sampling' || name === 'settings');
    expect(uncounted).to.have.lengthOf(2);
    for (const [, request] of uncounted) expect(encode({ ...request, stream: true }).losses).to.deep.equal([]);
  });

  it('returns the token counts that the SDK reads', () => {
    const context = createWriteContext<'count-tokens'>(decode({ contents }));
    expect(client.encodeResponse({ inputTokens: 14, estimated: false }, context)).to.deep.equal({ totalTokens: 14 });
    expect(client.encodeResponse({ inputTokens: 14, cachedTokens: 4, estimated: false }, context)).to.deep.equal({
      totalTokens: 14,
      cachedContentTokenCount: 4,
    });
  });

  it('reads the token count, and an error in its place', () => {
    const read = (body: unknown) => upstream.decodeResponse(body, createReadContext());
    expect(read({ totalTokens: 14, promptTokensDetails: [] })).to.deep.equal({ inputTokens: 14, estimated: false });
    expect(read({ totalTokens: 14, cachedContentTokenCount: 4 })).to.deep.equal({
      inputTokens: 14,
      cachedTokens: 4,
      estimated: false,
    });
    for (const body of [{}, [], null, { totalTokens: '14' }]) expect(() => read(body)).to.throw('has no token count');
    expect(() => read({ error: { code: 503, message: 'later', status: 'UNAVAILABLE' } })).to.throw('later');
  });

  it("sends the client's bytes on its own wire, except for a model that they name", () => {
    const planOf = (body: JsonObject) => native(inboundOf(body), decode(body), profile);
    expect(planOf({ contents })?.edits).to.deep.equal([]);
    expect(planOf({ generateContentRequest: { contents, systemInstruction } })?.edits).to.deep.equal([]);
    expect(planOf({ generateContentRequest: { model: 'models/google/gemini', contents } })?.edits).to.deep.equal([
      { member: 'generateContentRequest', value: { model: 'models/gemini-2.5-flash', contents } },
    ]);
    const tap = planOf({ contents })?.tap();
    tap?.inspectBody({ totalTokens: 14 });
    expect(tap?.observed).to.deep.equal({ outputChars: 0 });
    tap?.inspectBody({});
    expect(tap?.observed.error).to.include({ code: 'upstream_bad_response' });
  });

  it('applies the edits of a model inside the nested request', () => {
    const { edits } = createCountEdits('gemma-3-27b-it');
    const context = { stream: false, headers: {}, lose: () => undefined };
    for (const name of ['generateContentRequest', 'generate_content_request']) {
      const inner = { model: 'models/gemma-3-27b-it', contents, systemInstruction };
      const [edit, ...others] = edits?.({ [name]: inner }, context) ?? [];
      expect(others, name).to.deep.equal([]);
      expect(edit?.member).to.equal(name);
      expect(JSON.stringify(edit?.value)).to.include('Be brief.').and.not.include('systemInstruction');
    }
    expect(edits?.({ contents }, context)).to.deep.equal([]);
    expect(createCountEdits('another')).to.deep.equal({});
  });

  it('the token count has its own address at the provider, as embeddings do', async () => {
    const { wires } = (
      await google.create({ apiKey: 'k', baseUrl: 'https://example.com' }, undefined as never)
    ).endpoint('gemini-2.5-flash');
    const pathOf = async (operation: string, body: JsonObject) => {
      const address = wires.find((speech) => speech.operation === operation)?.buildRequest;
      const call = {
        model: 'm',
        stream: false,
        body: Buffer.from(JSON.stringify(body)),
        headers: {},
        credential: 'key-1',
        signal: new AbortController().signal,
      };
      return (await address?.(call))?.path;
    };
    expect(await pathOf('count-tokens', { contents })).to.equal('/v1beta/models/gemini-2.5-flash:countTokens');
    expect(await pathOf('embed', { content: {} })).to.equal('/v1beta/models/gemini-2.5-flash:embedContent');
    expect(await pathOf('embed', { requests: [] })).to.equal('/v1beta/models/gemini-2.5-flash:batchEmbedContents');
  });

  const unnamed = ({ request, ...recording }: Recording): Recording => {
    const { model: _model, ...body } = (request?.body ?? {}) as { readonly model?: unknown };
    return { ...recording, request: { body, model: 'model' } };
  };
  const isOwn = (line: string): boolean => /"style": ?"gemini-count-tokens"/.test(line);
  const recordings = [
    ...readCorpus('count-tokens.jsonl', 'generate-content', isOwn),
    ...readCorpus('errors.jsonl', 'generate-content', isOwn),
  ].map(unnamed);
  /** The name of the model, a cap on the answer, and the types of a schema in the vendor's older spelling. */
  const defaults = ['models/gemini-3.5-flash', 100, 'OBJECT', 'STRING'];
  it('generate-content token counts have recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect(recordings).to.have.lengthOf(7);
  });
  const written: Recording = {
    name: 'written',
    origin: 'written by hand after https://ai.google.dev/api/tokens',
    wire: 'generate-content',
    response: { status: 200, body: { totalTokens: 14, cachedContentTokenCount: 4 } },
    expected: { inputTokens: 14, cachedTokens: 4 },
  };
  for (const { name, run } of countLaws(generateContentCountCodec, [written, ...recordings], { defaults }))
    it(name, run);
});
