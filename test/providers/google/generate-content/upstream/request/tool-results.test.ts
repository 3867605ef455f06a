import { expect } from 'chai';
import type { JsonObject, Part, Turn } from '../../../../../../core/api/index.ts';
import { decodeBody, encode, foreign, namesOf } from '../exchange.ts';

const call: Part = { type: 'tool-call', id: 'c1', name: 'look', kind: 'function', input: '{}' };
const turnsWith = (result: Part): readonly Turn[] => [
  { role: 'user', parts: [{ type: 'text', text: 'a' }] },
  { role: 'assistant', parts: [call] },
  { role: 'user', parts: [result] },
];
const write = (result: Part) => {
  const { body, losses } = encode(foreign({ turns: turnsWith(result) }));
  const part = (body['contents'] as readonly { readonly parts: readonly JsonObject[] }[])[2]?.parts[0];
  return {
    part,
    response: (part?.['functionResponse'] as { readonly response?: unknown } | undefined)?.response,
    losses: namesOf(losses),
  };
};
const answered = (text: string, failed = false) =>
  write({ type: 'tool-result', id: 'c1', failed, parts: [{ type: 'text', text }] }).response;

describe('generate-content upstream: tool results', () => {
  it('E14: a tool result sends an object, whatever the tool returned', () => {
    expect(answered('42')).to.deep.equal({ output: 42 });
    expect(answered('{"a":1}')).to.deep.equal({ a: 1 });
    expect(answered('{"$ref":1}')).to.deep.equal({ output: '{"$ref":1}' });
    const schema = '{"properties":{"a":{"$ref": "#/$defs/a"}},"$defs":{"a":{}}}';
    expect(answered(schema)).to.deep.equal({ output: schema });
    expect(answered(`[${schema}]`)).to.deep.equal({ output: `[${schema}]` });
    expect(answered('{"text":"a \\"$ref\\": b"}')).to.deep.equal({ text: 'a "$ref": b' });
    expect(answered('[1,2]')).to.deep.equal({ output: [1, 2] });
    expect(answered('true')).to.deep.equal({ output: true });
    expect(answered('sunny')).to.deep.equal({ output: 'sunny' });
    expect(answered('"sunny"')).to.deep.equal({ output: '"sunny"' });
    expect(answered('')).to.deep.equal({ output: '' });
    expect(answered('1.50')).to.deep.equal({ output: '1.50' });
  });

  it('a tool result keeps numbers that would be rounded, and nests an object with reserved keys', () => {
    expect(answered('{"id":12345678901234567890}')).to.deep.equal({ output: '{"id":12345678901234567890}' });
    expect(answered('12345678901234567890')).to.deep.equal({ output: '12345678901234567890' });
    expect(answered('{"error":"none"}')).to.deep.equal({ output: { error: 'none' } });
    expect(answered('{"output":1,"more":2}')).to.deep.equal({ output: { output: 1, more: 2 } });
    expect(answered(`${'['.repeat(5_000)}${']'.repeat(5_000)}`))
      .to.have.property('output')
      .that.is.a('string');
  });

  it('E13: a tool result sends a failure under `error`', () => {
    expect(answered('ENOENT', true)).to.deep.equal({ error: 'ENOENT' });
    expect(answered('{"code":1}', true)).to.deep.equal({ error: '{"code":1}' });
  });

  it('a tool result has the name of its call, and media beside the response', () => {
    const { part, losses } = write({
      type: 'tool-result',
      id: 'c1',
      failed: false,
      parts: [
        { type: 'text', text: 'see' },
        { type: 'media', media: { mediaType: 'image/png', base64: 'AA==' } },
      ],
    });
    expect(part).to.deep.equal({
      functionResponse: {
        id: 'c1',
        name: 'look',
        response: { output: 'see' },
        parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
      },
    });
    expect(losses).to.deep.equal([]);
  });

  it('E11: a tool result becomes text if its call is missing, since its function name is unknown', () => {
    const { part, losses } = write({
      type: 'tool-result',
      id: 'xyz',
      failed: false,
      parts: [{ type: 'text', text: '18C' }],
    });
    expect(part).to.deep.equal({ text: '[tool result xyz] 18C' });
    expect(losses).to.deep.equal(['approximated contents[2].parts[0]']);
    expect(write({ type: 'tool-result', id: 'xyz', name: 'look', failed: false, parts: [] }).part).to.have.property(
      'functionResponse',
    );
  });

  it('E2: a tool result without an id belongs to the calls of its function in their order', () => {
    const { body } = encode(
      decodeBody({
        contents: [
          { role: 'user', parts: [{ text: 'a' }] },
          {
            role: 'model',
            parts: [
              { functionCall: { name: 'f', args: { q: 'a' } } },
              { functionCall: { name: 'f', args: { q: 'b' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'f', response: { output: 'r1' } } },
              { functionResponse: { name: 'f', response: { output: 'r2' } } },
            ],
          },
        ],
      }),
    );
    const ids = (body['contents'] as readonly { readonly parts: readonly JsonObject[] }[])
      .slice(1)
      .map(({ parts }) => parts.map((part) => (Object.values(part)[0] as { readonly id: string }).id));
    expect(ids[0]).to.deep.equal(ids[1]);
    expect(new Set(ids[0])).to.have.property('size', 2);
  });
});
