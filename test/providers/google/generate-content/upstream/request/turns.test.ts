import { expect } from 'chai';
import type { GenerateRequest, Part, Turn } from '../../../../../../core/api/index.ts';
import { isLinear } from '../../../../../support/time/growth.ts';
import { decodeBody, encode, foreign, namesOf, origin, refusal } from '../exchange.ts';

const text = (value: string): Part => ({ type: 'text', text: value });
const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts });
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });
const call = (id: string, input = '{}', name = 'f'): Part => ({ type: 'tool-call', id, name, kind: 'function', input });
const write = (turns: readonly Turn[], wire = 'messages') =>
  encode(foreign({ wire, turns, extra: { wire, members: {} } } as Partial<GenerateRequest>));
const contentsOf = (turns: readonly Turn[], wire?: string) => write(turns, wire).body['contents'];

describe('generate-content upstream: turns', () => {
  it('puts leading system texts into the parts of the instruction', () => {
    const { body } = write([
      { role: 'system', parts: [text('a'), text('')] },
      { role: 'system', parts: [text('b')] },
      user(text('hi')),
    ]);
    expect(body['systemInstruction']).to.deep.equal({ parts: [{ text: 'a' }, { text: 'b' }] });
    expect(body['contents']).to.deep.equal([{ role: 'user', parts: [{ text: 'hi' }] }]);
  });

  it('merges neighbours of one role, and puts results of parallel calls first', () => {
    const result = (id: string): Part => ({ type: 'tool-result', id, failed: false, parts: [text(id)] });
    expect(
      contentsOf([
        user(text('a')),
        assistant(call('1'), call('2')),
        user(result('1')),
        user(text('now'), result('2')),
        user(text('b')),
      ]),
    ).to.deep.equal([
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: [{ functionCall: { id: '1', name: 'f', args: {} } }, { functionCall: { id: '2', name: 'f', args: {} } }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: '1', name: 'f', response: { output: 1 } } },
          { functionResponse: { id: '2', name: 'f', response: { output: 2 } } },
          { text: 'now' },
          { text: 'b' },
        ],
      },
    ]);
  });

  it('merges neighbours in linear time', async () => {
    const turnsOf = (length: number): readonly Turn[] => Array.from({ length }, () => user(text('a')));
    expect(contentsOf(turnsOf(20_000))).to.have.length(1);
    expect(await isLinear(2_000, turnsOf, contentsOf)).to.equal(true);
  });

  it('drops empty texts, and names a turn without content', () => {
    const { body, losses } = write([user(text('a')), assistant(text('')), user(text('b'))]);
    expect(body['contents']).to.deep.equal([{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] }]);
    expect(namesOf(losses)).to.deep.equal(['dropped contents[1]']);
    expect(refusal(() => write([user(text(''))])).code).to.equal('unsupported_parameter');
  });

  it('the contents start with a user turn', () => {
    const { body, losses } = write([assistant(text('hello')), user(text('hi'))]);
    expect((body['contents'] as readonly unknown[])[0]).to.deep.equal({ role: 'user', parts: [{ text: '…' }] });
    expect(namesOf(losses)).to.deep.equal(['injected contents']);
    expect(contentsOf([assistant(text('hello'))], 'generate-content')).to.deep.equal([
      { role: 'model', parts: [{ text: 'hello' }] },
    ]);
  });

  it('writes thoughts and signatures on their parts', () => {
    const proof = { origin, value: 'SIG' };
    const { body, losses } = write([
      user(text('a')),
      assistant(
        { type: 'reasoning', text: 'hm', proof },
        { type: 'text', text: 'x', proof },
        { type: 'text', text: '', proof },
        { ...call('1'), proof } as Part,
        { type: 'refusal', text: 'no' },
      ),
    ]);
    expect((body['contents'] as readonly unknown[])[1]).to.deep.equal({
      role: 'model',
      parts: [
        { text: 'hm', thought: true, thoughtSignature: 'SIG' },
        { text: 'x', thoughtSignature: 'SIG' },
        { text: '', thoughtSignature: 'SIG' },
        { functionCall: { id: '1', name: 'f', args: {} }, thoughtSignature: 'SIG' },
        { text: 'no' },
      ],
    });
    expect(losses).to.deep.equal([]);
  });

  it('writes media as bytes or by URL', () => {
    const media = (value: Extract<Part, { type: 'media' }>['media']): Part => ({ type: 'media', media: value });
    expect(
      contentsOf([
        user(
          media({ mediaType: 'image/jpg', base64: 'AA==' }),
          media({ mediaType: 'image/*', url: 'https://x/a.png' }),
          media({ mediaType: 'application/pdf', url: 'https://x/a.pdf' }),
          media({ mediaType: 'video/mp4', fileId: 'gs://b/v' }),
        ),
      ]),
    ).to.deep.equal([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/jpeg', data: 'AA==' } },
          { fileData: { fileUri: 'https://x/a.png' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://x/a.pdf' } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/v' } },
        ],
      },
    ]);
    const { losses } = write([
      user({
        type: 'media',
        media: { mediaType: 'image/png', base64: 'AA==' },
        detail: 'low',
        name: 'a.png',
        cache: { ttl: '5m' },
      }),
    ]);
    expect(namesOf(losses)).to.deep.equal([
      'dropped contents[0].parts[0].cache',
      'dropped contents[0].parts[0].detail',
      'dropped contents[0].parts[0].name',
    ]);
  });

  it('restores the parts of its own wire', () => {
    const body = {
      contents: [
        {
          role: 'user',
          parts: [
            {
              fileData: { mimeType: 'video/mp4', fileUri: 'https://x/v.mp4', displayName: 'v' },
              videoMetadata: { fps: 1 },
            },
            { text: 'a', partMetadata: { k: 1 } },
          ],
        },
        {
          role: 'model',
          parts: [
            { executableCode: { code: '1', language: 'PYTHON' }, thoughtSignature: 'S' },
            { functionCall: { id: 'c', name: 'f', args: { a: 1 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'c',
                name: 'f',
                response: { output: 'x' },
                scheduling: 'SILENT',
                parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
              },
            },
          ],
        },
      ],
    };
    const { body: again, losses } = encode(decodeBody(body));
    expect(again).to.deep.equal(body);
    expect(losses).to.deep.equal([]);
  });

  it('restores the members of media in a result', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'f',
              response: { output: 'x' },
              scheduling: 'SILENT',
              parts: [
                { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=', displayName: 'a' } },
                { fileData: { mimeType: 'video/mp4', fileUri: 'https://a.test/v.mp4' }, mediaProcessing: 'AGENTIC' },
              ],
            },
          },
        ],
      },
    ];
    expect(encode(decodeBody({ contents })).body['contents']).to.deep.equal(contents);
  });

  it('names parts of other wires, citations and cache marks as lost', () => {
    const { body, losses } = write([
      user(
        { type: 'opaque', wire: 'messages', value: { type: 'search_result' } },
        { ...text('a'), cache: { ttl: '1h' } },
      ),
      assistant({
        type: 'text',
        text: 'b',
        citations: [{ url: 'https://x', vendor: { wire: 'messages', value: {} } }],
      }),
    ]);
    expect(body['contents']).to.deep.equal([
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ text: 'b' }] },
    ]);
    expect(namesOf(losses)).to.deep.equal([
      'dropped contents[0].parts[0]',
      'dropped contents[0].parts[1].cache',
      'dropped contents[1].parts[0].citations',
    ]);
  });

  it('E5: wraps arguments that are not an object, and drops none', () => {
    const written = write([
      user(text('a')),
      assistant(
        call('1', ''),
        call('2', '{"city": "Par'),
        call('3', '[1]'),
        call('4', 'null'),
        call('5', '{"a":1}'),
        call('6', '['.repeat(5_000) + ']'.repeat(5_000)),
      ),
    ]);
    const args = (
      written.body['contents'] as readonly { parts: readonly { functionCall: { args: unknown } }[] }[]
    )[1]?.parts.map(({ functionCall }) => functionCall.args);
    expect(args?.slice(0, 5)).to.deep.equal([{}, { _raw: '{"city": "Par' }, { value: [1] }, {}, { a: 1 }]);
    expect(args?.[5]).to.have.property('_raw');
    expect(namesOf(written.losses)).to.deep.equal(
      [1, 2, 5].map((index) => `approximated contents[1].parts[${index}].input`),
    );
  });
});
