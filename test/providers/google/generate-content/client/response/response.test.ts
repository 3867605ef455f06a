import { expect } from 'chai';
import type { Choice, Finish, GenerateResponse, JsonObject, Part } from '../../../../../../core/api/index.ts';
import { omitUndefined, type Proof, sealProof } from '../../../../../../core/api/codec.ts';
import { collectLosses, decode, respond, usage } from '../harness.ts';

const answer = (
  parts: readonly Part[],
  finish: Finish = { reason: 'stop' },
  members: Partial<Choice> = {},
): GenerateResponse => ({ id: 'r1', model: 'p/m', choices: [{ parts, finish, ...members }] });
interface Candidate extends JsonObject {
  readonly content: { readonly role: string; readonly parts: readonly JsonObject[] };
}
const candidateOf = (body: JsonObject): Candidate => {
  const [first] = (body['candidates'] ?? []) as readonly Candidate[];
  if (first === undefined) throw new Error('no candidate');
  return first;
};
const partsOf = (...parts: readonly Part[]) => candidateOf(respond(answer(parts))).content.parts;
const call = (id: string, input: string, proof?: Proof): Part =>
  omitUndefined({
    type: 'tool-call',
    id,
    name: 'get_weather',
    kind: 'function',
    input,
    proof,
  });
const origin = { provider: 'claude', family: 'claude' };

describe('generate-content client: responses', () => {
  it('writes id, model and usage, with totals as this wire counts them', () => {
    expect(respond({ ...answer([{ type: 'text', text: 'hi' }]), usage })).to.deep.equal({
      candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 4512,
        cachedContentTokenCount: 4000,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 60,
        totalTokenCount: 4602,
      },
      modelVersion: 'p/m',
      responseId: 'r1',
    });
    expect(respond({ choices: [{ parts: [], finish: { reason: 'stop' } }] })).to.deep.include({
      responseId: 'fresh',
      modelVersion: 'unknown',
    });
  });

  it('E1 writes calls as objects with their ids, and STOP as the finish reason', () => {
    const candidate = candidateOf(
      respond(
        answer([call('call_1_0', '{"city":"Paris"}'), call('call_1_1', '{"city":"Rome"}')], { reason: 'tool_calls' }),
      ),
    );
    expect(candidate).to.deep.equal({
      content: {
        role: 'model',
        parts: [
          { functionCall: { id: 'call_1_0', name: 'get_weather', args: { city: 'Paris' } } },
          { functionCall: { id: 'call_1_1', name: 'get_weather', args: { city: 'Rome' } } },
        ],
      },
      finishReason: 'STOP',
      index: 0,
    });
  });

  it('wraps arguments that are not an object, and names the loss', () => {
    const { losses, lose } = collectLosses();
    const body = respond(
      answer([
        call('a', ''),
        call('b', '{"city": "Par'),
        call('c', '[1]'),
        { type: 'tool-call', id: 'd', name: 'free', kind: 'custom', input: 'x' },
      ]),
      { lose },
    );
    expect(
      candidateOf(body).content.parts.map(({ functionCall }) => (functionCall as JsonObject)['args']),
    ).to.deep.equal([{}, { _raw: '{"city": "Par' }, { value: [1] }, { input: 'x' }]);
    expect(losses.map(({ kind }) => kind)).to.deep.equal(['approximated', 'approximated']);
  });

  it('writes signatures on their parts, sealed with their origin', () => {
    const proof = { origin, value: 'SIG' };
    const sealed = sealProof(proof);
    expect(
      partsOf({ type: 'reasoning', text: 'Hm.', proof }, { type: 'text', text: 'a', proof }, call('a', '{}', proof), {
        type: 'reasoning',
        text: '',
        redacted: true,
        proof: { ...proof, redacted: true },
      }),
    ).to.deep.equal([
      { thought: true, text: 'Hm.', thoughtSignature: sealed },
      { text: 'a', thoughtSignature: sealed },
      { functionCall: { id: 'a', name: 'get_weather', args: {} }, thoughtSignature: sealed },
      { thought: true, text: '', thoughtSignature: sealProof({ ...proof, redacted: true }) },
    ]);
  });

  it('hides thoughts that the client did not request, and sends their signature', () => {
    const proof = { origin: undefined, value: 'U0lH' };
    const body = respond(
      answer([
        { type: 'reasoning', text: 'Hm.', proof },
        { type: 'reasoning', text: 'Ha.' },
        { type: 'text', text: 'a' },
      ]),
      { request: decode() },
    );
    expect(candidateOf(body).content.parts).to.deep.equal([
      { thought: true, text: '', thoughtSignature: 'U0lH' },
      { text: 'a' },
    ]);
  });

  it("E33 writes a refusal without text as SAFETY with the provider's explanation and an empty part", () => {
    expect(candidateOf(respond(answer([], { reason: 'refusal', explanation: 'X' })))).to.deep.equal({
      content: { role: 'model', parts: [{ text: '' }] },
      finishReason: 'SAFETY',
      finishMessage: 'X',
      index: 0,
    });
    expect(candidateOf(respond(answer([{ type: 'refusal', text: 'No.' }], { reason: 'refusal' })))).to.deep.include({
      content: { role: 'model', parts: [{ text: 'No.' }] },
      finishReason: 'SAFETY',
    });
  });

  it('E34 writes a blocked prompt as this vendor did, and one of another vendor as a candidate', () => {
    const promptFeedback = { blockReason: 'SAFETY', safetyRatings: [] };
    const blocked = answer([], { reason: 'content_filter', vendor: 'SAFETY', explanation: 'blocked' });
    expect(respond({ ...blocked, extra: { wire: 'generate-content', members: { promptFeedback } } })).to.deep.equal({
      modelVersion: 'p/m',
      responseId: 'r1',
      promptFeedback,
    });
    expect(candidateOf(respond(blocked))).to.deep.include({ finishReason: 'SAFETY', finishMessage: 'blocked' });
    const late = {
      ...answer([{ type: 'text', text: 'a' }], { reason: 'content_filter' }),
      extra: { wire: 'generate-content', members: { promptFeedback } },
    };
    expect(candidateOf(respond(late)).content.parts).to.deep.equal([{ text: 'a' }]);
    const rated = {
      ...answer([{ type: 'text', text: 'a' }]),
      extra: { wire: 'generate-content', members: { promptFeedback: { safetyRatings: [] } } },
    };
    expect(candidateOf(respond(rated)).content.parts).to.deep.equal([{ text: 'a' }]);
  });

  it('E50 writes a response that was cut off after thoughts', () => {
    const candidate = candidateOf(respond(answer([{ type: 'reasoning', text: 'Hm' }], { reason: 'length' })));
    expect(candidate).to.deep.include({
      content: { role: 'model', parts: [{ thought: true, text: 'Hm' }] },
      finishReason: 'MAX_TOKENS',
    });
  });

  it('E5 wraps arguments that are not JSON in an object, and names the field of this wire', () => {
    const { losses, lose } = collectLosses();
    const candidate = candidateOf(
      respond(answer([{ type: 'tool-call', id: 'c', name: 'odd name', kind: 'function', input: '{"a' }]), { lose }),
    );
    expect(candidate.content.parts).to.deep.equal([
      { functionCall: { id: 'c', name: 'odd name', args: { _raw: '{"a' } } },
    ]);
    expect(losses.map(({ field, kind }) => `${kind} ${field}`)).to.deep.equal(['approximated functionCall.args']);
  });

  it('writes several candidates, each with its index', () => {
    const choices = ['a', 'b'].map((text): Choice => ({ parts: [{ type: 'text', text }], finish: { reason: 'stop' } }));
    expect(
      (respond({ choices })['candidates'] as readonly Candidate[]).map(({ index, content }) => [index, content.parts]),
    ).to.deep.equal([
      [0, [{ text: 'a' }]],
      [1, [{ text: 'b' }]],
    ]);
  });

  it('writes media and vendor parts, and names parts of other wires as lost', () => {
    const { losses, lose } = collectLosses();
    const own = { executableCode: { language: 'PYTHON', code: '1' } };
    const parts: readonly Part[] = [
      { type: 'media', media: { mediaType: 'image/png', base64: 'AAAA' } },
      { type: 'media', media: { mediaType: 'image/png', url: 'https://example.com/a.png' } },
      { type: 'opaque', wire: 'generate-content', value: own },
      { type: 'opaque', wire: 'messages', value: { type: 'server_tool_use' } },
    ];
    expect(candidateOf(respond(answer(parts), { lose })).content.parts).to.deep.equal([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
      own,
    ]);
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([['content', 'dropped']]);
  });

  it('writes extra members of this wire, and names those of others as lost', () => {
    const { losses, lose } = collectLosses();
    const extra = { wire: 'generate-content', members: { safetyRatings: [{ category: 'A' }], avgLogprobs: -0.5 } };
    expect(candidateOf(respond(answer([], undefined, { extra })))).to.deep.include(extra.members);
    respond(answer([], undefined, { extra: { wire: 'chat-completions', members: { logprobs: {} } } }), { lose });
    expect(losses.map(({ field }) => field)).to.deep.equal(['candidates[0].logprobs']);
  });

  it('writes citations of other vendors with byte offsets, each source once', () => {
    const { losses, lose } = collectLosses();
    const vendor = { wire: 'responses', value: {} };
    const url = 'https://example.com';
    const text = 'Ein Café 😀 da.';
    const citations = [
      { url, title: 'E', start: 4, end: 10, vendor },
      { url, title: 'E', vendor },
      { quote: 'q', vendor },
    ];
    const body = respond(
      answer([
        { type: 'text', text: 'Vorab.' },
        { type: 'text', text, citations },
      ]),
      { lose },
    );
    expect(candidateOf(body)['groundingMetadata']).to.deep.equal({
      groundingChunks: [{ web: { uri: url, title: 'E' } }],
      groundingSupports: [
        { segment: { partIndex: 1, startIndex: 4, endIndex: 14, text: 'Café 😀' }, groundingChunkIndices: [0] },
        {
          segment: { partIndex: 1, startIndex: 0, endIndex: Buffer.byteLength(text), text },
          groundingChunkIndices: [0],
        },
      ],
    });
    expect(losses.map(({ field }) => field)).to.deep.equal(['citations']);
  });

  it('writes each citation of this vendor once and unchanged', () => {
    const value = { groundingChunk: { web: { uri: 'https://example.com' } }, segment: { endIndex: 2, text: 'ab' } };
    const quotation = { uri: 'https://example.org', startIndex: 0 };
    const wire = 'generate-content';
    const part: Part = {
      type: 'text',
      text: 'ab',
      citations: [
        { url: 'https://example.com', vendor: { wire, value } },
        { url: 'https://example.org', vendor: { wire, value: quotation } },
      ],
    };
    expect(candidateOf(respond(answer([part])))).to.deep.include({
      groundingMetadata: {
        groundingChunks: [value.groundingChunk],
        groundingSupports: [{ segment: value.segment, groundingChunkIndices: [0] }],
      },
      citationMetadata: { citations: [quotation] },
    });
    const groundingMetadata = { webSearchQueries: ['q'] };
    expect(
      candidateOf(respond(answer([part], undefined, { extra: { wire, members: { groundingMetadata } } }))),
    ).to.not.have.property('citationMetadata');
    expect(
      candidateOf(respond(answer([part], undefined, { extra: { wire, members: { groundingMetadata } } }))),
    ).to.deep.include({ groundingMetadata });
  });
});
