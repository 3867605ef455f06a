import { expect } from 'chai';
import { sealProof } from '../../../../../../core/api/codec.ts';
import { decode, decodeContents, refusal } from '../harness.ts';

const user = (...parts: readonly unknown[]) => ({ role: 'user', parts });
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts });
const partsOf = (...parts: readonly unknown[]) => decodeContents(user(...parts)).turns[0]?.parts;
const answerOf = (...contents: readonly unknown[]) => decodeContents(user({ text: 'q' }), ...contents).turns[1]?.parts;

const sealed = { origin: { provider: 'claude', family: 'claude' }, value: 'SIG' };
const png = 'iVBORw0KGgo=';

describe('generate-content client: contents', () => {
  it('reads contents as turns, with user as the default role', () => {
    const { turns } = decodeContents(
      { parts: [{ text: 'a' }] },
      model({ text: 'b' }),
      { role: 'function', parts: [{ text: 'c' }] },
      { role: '', parts: [{ text: 'd' }] },
    );
    expect(turns.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user', 'user']);
  });

  it('accepts a single content and a single part instead of lists', () => {
    expect(decode({ contents: { parts: { text: 'a' } } }).turns).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
    ]);
  });

  it('E27 joins consecutive model contents and their texts, drops empty texts, and ends parts at signatures', () => {
    const pieces = [
      model({ text: 'Let ', thought: true }),
      model({ text: 'me.', thought: true }),
      model({ text: '', thought: true, thoughtSignature: 'A' }),
      model({ text: 'Che' }),
      model({ text: 'cking.' }),
      model({ functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'B' }),
      model({ text: '' }),
      model({ text: 'And' }),
      model({ text: '', thoughtSignature: 'C' }),
      model({ text: ' on.' }),
      model({ text: '' }),
    ];
    expect(answerOf(...pieces)).to.deep.equal([
      { type: 'reasoning', text: 'Let me.', proof: { origin: undefined, value: 'A' } },
      { type: 'text', text: 'Checking.' },
      {
        type: 'tool-call',
        id: 'c1',
        name: 'f',
        kind: 'function',
        input: '{}',
        proof: { origin: undefined, value: 'B' },
      },
      { type: 'text', text: 'And', proof: { origin: undefined, value: 'C' } },
      { type: 'text', text: ' on.' },
    ]);
  });

  it('keeps the parts of one content separate', () => {
    expect(answerOf(model({ text: 'a' }, { text: 'b' }))).to.deep.equal([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    const signed = { type: 'text', text: 'a', proof: { origin: undefined, value: 'A' } };
    expect(answerOf(model({ text: 'a' }, { text: '', thoughtSignature: 'A' }))).to.deep.equal([signed]);
  });

  it('drops a model turn without content, and reads an empty user turn as empty text', () => {
    const { turns } = decodeContents(user({ text: '' }), model(), model({ text: '' }), user({ text: 'a' }));
    expect(turns).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: '' }] },
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
    ]);
  });

  it('reads the system instruction, whatever its role, as the leading system turn', () => {
    expect(
      decode({ systemInstruction: { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] } }).turns[0],
    ).to.deep.equal({
      role: 'system',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    });
    expect(decode({ systemInstruction: 'a' }).turns[0]).to.deep.equal({
      role: 'system',
      parts: [{ type: 'text', text: 'a' }],
    });
    expect(decode({ systemInstruction: { parts: [{ text: '' }] } }).turns).to.have.length(1);
  });

  it('unseals proofs with their origin, and reads redacted reasoning from its seal', () => {
    expect(answerOf(model({ text: 'a', thought: true, thoughtSignature: sealProof(sealed) }))).to.deep.equal([
      { type: 'reasoning', text: 'a', proof: sealed },
    ]);
    const redacted = { ...sealed, redacted: true } as const;
    expect(
      answerOf(model({ text: 'a', thought: true }, { text: '', thought: true, thoughtSignature: sealProof(redacted) })),
    ).to.deep.equal([
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: '', redacted: true, proof: redacted },
    ]);
  });

  it('reads the signature placeholder as no signature', () => {
    for (const thoughtSignature of [
      'skip_thought_signature_validator',
      'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=',
      '',
    ]) {
      expect(answerOf(model({ functionCall: { id: 'c', name: 'f' }, thoughtSignature }))).to.deep.equal([
        { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}' },
      ]);
    }
  });

  it('reads a signature alone as an empty text with a proof', () => {
    expect(answerOf(model({ functionCall: { id: 'c', name: 'f' } }, { thoughtSignature: 'A' }))?.[1]).to.deep.equal({
      type: 'text',
      text: '',
      proof: { origin: undefined, value: 'A' },
    });
  });

  it('reads bytes and URLs as media, and files of the vendor as file ids', () => {
    const files = 'https://generativelanguage.googleapis.com/v1beta/files/abc';
    expect(
      partsOf(
        { inlineData: { mimeType: 'image/JPG', data: 'a-_b\n' } },
        { inline_data: { mime_type: 'application/pdf', data: 'JVBERi0=' } },
        { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4' } },
        { fileData: { fileUri: 'https://youtu.be/x' } },
        { fileData: { fileUri: 'https://example.com/a.PNG?size=1' } },
        { fileData: { mimeType: 'image/png', fileUri: files } },
        { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } },
        { fileData: { fileUri: `data:image/png;base64,${png}` } },
      ),
    ).to.deep.equal([
      { type: 'media', media: { mediaType: 'image/jpeg', base64: 'a+/b' } },
      { type: 'media', media: { mediaType: 'application/pdf', base64: 'JVBERi0=' } },
      { type: 'media', media: { mediaType: 'video/mp4', url: 'https://example.com/a.mp4' } },
      { type: 'media', media: { mediaType: '*/*', url: 'https://youtu.be/x' } },
      { type: 'media', media: { mediaType: 'image/png', url: 'https://example.com/a.PNG?size=1' } },
      { type: 'media', media: { mediaType: 'image/png', fileId: files } },
      { type: 'media', media: { mediaType: 'image/png', fileId: 'gs://bucket/a.png' } },
      { type: 'media', media: { mediaType: 'image/png', base64: png } },
    ]);
  });

  it('applies the image limits of the service to all images together, also in results', () => {
    const image = (megabytes: number) => ({
      inlineData: { mimeType: 'image/png', data: 'A'.repeat(Math.ceil((megabytes * 1_048_576 * 4) / 3)) },
    });
    expect(refusal(() => partsOf(image(5.1))).param).to.equal('contents[0].parts[0].inlineData.data');
    const four = image(4);
    expect(partsOf(four, four, image(3.9))).to.have.length(3);
    expect(refusal(() => partsOf(four, four, four, image(0.1))).param).to.equal('contents[0].parts[3].inlineData.data');
    const result = user({ functionResponse: { name: 'f', response: {}, parts: [image(6)] } });
    expect(refusal(() => decodeContents(result)).param).to.equal(
      'contents[0].parts[0].functionResponse.parts[0].inlineData.data',
    );
    expect(partsOf({ inlineData: { mimeType: 'audio/wav', data: 'A'.repeat(8_000_000) } })).to.have.length(1);
  });

  it('keeps unknown kinds of parts unchanged, for this wire only', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' }, thoughtSignature: 'A' };
    const future = { thought: true, hologram: { a: 1 } };
    expect(answerOf(model(code, future))).to.deep.equal(
      [code, future].map((value) => ({ type: 'opaque', wire: 'generate-content', value })),
    );
  });

  it('keeps extra members of parts and contents under their path', () => {
    const video = {
      fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4', displayName: 'a' },
      videoMetadata: { fps: 1 },
    };
    const [turn] = decodeContents({ role: 'user', parts: [{ text: '' }, { text: 'a' }, video], future: 1 }).turns;
    expect(turn?.extra).to.deep.equal({
      wire: 'generate-content',
      members: { future: 1, 'parts[1].videoMetadata': { fps: 1 }, 'parts[1].fileData.displayName': 'a' },
    });
    expect(turn?.parts).to.have.length(2);
  });
});
