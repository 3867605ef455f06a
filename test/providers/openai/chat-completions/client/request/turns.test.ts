import { expect } from 'chai';
import { sealProof } from '../../../../../../core/api/codec.ts';
import { decode, decodeMessages, catchError } from '../../harness.ts';

const PNG = 'iVBORw0KGgo=';

describe('chat-completions: client messages', () => {
  it('decodes each role as its turn', () => {
    const { turns } = decodeMessages(
      { role: 'system', content: 's' },
      { role: 'developer', content: 'd', name: 'boss' },
      { role: 'user', content: 'u', name: 'ann' },
      { role: 'assistant', content: 'a' },
      { role: 'tool', tool_call_id: 't', content: 'r' },
    );
    const text = (value: string) => [{ type: 'text', text: value }];
    expect(turns).to.deep.equal([
      { role: 'system', parts: text('s') },
      {
        role: 'system',
        parts: text('d'),
        extra: { wire: 'chat-completions', members: { role: 'developer', name: 'boss' } },
      },
      { role: 'user', parts: text('u'), extra: { wire: 'chat-completions', members: { name: 'ann' } } },
      { role: 'assistant', parts: text('a') },
      { role: 'user', parts: [{ type: 'tool-result', id: 't', failed: false, parts: text('r') }] },
    ]);
  });

  it('orders the parts of an assistant: reasoning, then text and refusal, then calls', () => {
    const { turns } = decodeMessages({
      role: 'assistant',
      content: 'c',
      refusal: 'no',
      reasoning_content: 'think',
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
    expect(turns[0]?.parts.map(({ type }) => type)).to.deep.equal(['reasoning', 'text', 'refusal', 'tool-call']);
  });

  it('prefers reasoning_details to the text that repeats them, joins their fragments and opens sealed proofs', () => {
    const proof = { origin: { provider: 'a', family: 'anthropic' }, value: 'SIG' };
    const { turns } = decodeMessages({
      role: 'assistant',
      content: 'c',
      reasoning: 'one two',
      reasoning_details: [
        { type: 'reasoning.text', text: 'one ', index: 0 },
        { type: 'reasoning.text', text: 'two', index: 0 },
        { type: 'reasoning.text', signature: sealProof(proof), index: 0 },
        { type: 'reasoning.encrypted', data: 'D', index: 1 },
        { type: 'reasoning.summary', summary: 'sum' },
        { type: 'reasoning.text', text: '' },
        { type: 'reasoning.odd' },
      ],
    });
    expect(turns[0]?.parts).to.deep.equal([
      { type: 'reasoning', text: 'one two', proof },
      { type: 'reasoning', text: '', redacted: true, proof: { origin: undefined, value: 'D', redacted: true } },
      { type: 'reasoning', text: 'sum' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('E6: accepts arguments sent as an object, or missing', () => {
    const call = (args: unknown) =>
      decodeMessages({
        role: 'assistant',
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: args } }],
      }).turns[0]?.parts[0];
    expect(call({ a: 1 })).to.include({ input: '{"a":1}' });
    expect(call(undefined)).to.include({ input: '' });
    expect(call('{"city": "Par')).to.include({ input: '{"city": "Par' });
  });

  it('decodes custom calls and keeps calls of an unknown kind', () => {
    const odd = { id: 'y', type: 'grep', grep: {} };
    const { turns } = decodeMessages({
      role: 'assistant',
      tool_calls: [{ id: 'x', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }, odd],
    });
    expect(turns[0]?.parts).to.deep.equal([
      { type: 'tool-call', id: 'x', kind: 'custom', name: 'patch', input: '*** Begin' },
      { type: 'opaque', wire: 'chat-completions', value: odd },
    ]);
  });

  it('gives a call without an id a stable id', () => {
    const read = () =>
      decodeMessages({
        role: 'assistant',
        tool_calls: [
          { type: 'function', function: { name: 'f' } },
          { type: 'function', function: { name: 'f' } },
        ],
      }).turns[0]?.parts.map((part) => (part.type === 'tool-call' ? part.id : ''));
    expect(read()).to.deep.equal(['call_0_0', 'call_0_1']);
    expect(read()).to.deep.equal(read());
  });

  it("decodes Google's signature on a call", () => {
    const { turns } = decodeMessages({
      role: 'assistant',
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 'f' }, extra_content: { google: { thought_signature: 'S' } } },
      ],
    });
    expect(turns[0]?.parts[0]).to.deep.include({ proof: { origin: undefined, value: 'S' } });
  });

  it('matches the deprecated function messages by name', () => {
    const { turns } = decodeMessages(
      { role: 'user', content: 'q' },
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      { role: 'function', name: 'f', content: 'r' },
    );
    const [, call, result] = turns.map(({ parts }) => parts[0]);
    expect(call).to.include({ type: 'tool-call', name: 'f', input: '{"a":1}', id: 'call_legacy_1' });
    expect(result).to.include({ type: 'tool-result', name: 'f', id: 'call_legacy_1' });
  });

  it('decodes every part of a user message', () => {
    const { turns } = decodeMessages({
      role: 'user',
      content: [
        { type: 'text', text: 't', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
        { type: 'text', text: 'u', cache_control: { type: 'ephemeral' } },
        { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'high' } },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'video_url', video_url: { url: 'x' } },
      ],
    });
    expect(turns[0]?.parts).to.deep.equal([
      { type: 'text', text: 't', cache: { ttl: '12h' } },
      { type: 'text', text: 'u', cache: { ttl: '5m' } },
      { type: 'media', media: { mediaType: 'image/*', url: 'https://x.example/a.png' }, detail: 'high' },
      { type: 'media', media: { mediaType: 'image/png', base64: PNG } },
      { type: 'media', media: { mediaType: 'audio/mp3', base64: 'QUJD' } },
      { type: 'media', media: { mediaType: 'application/pdf', base64: 'JVBERi0=' }, name: 'a.pdf' },
      { type: 'media', media: { mediaType: 'application/octet-stream', fileId: 'file-1' } },
      { type: 'opaque', wire: 'chat-completions', value: { type: 'video_url', video_url: { url: 'x' } } },
    ]);
  });

  it('E53: decodes data URIs in every form that clients send', () => {
    const { turns } = decodeMessages({
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'DATA:image/jpg;charset=utf-8;base64,/9j/\n4A==' } }],
    });
    expect(turns[0]?.parts[0]).to.deep.include({ media: { mediaType: 'image/jpeg', base64: '/9j/4A==' } });
  });

  it('E54: rejects an image of more than 5 MB, and images of more than 12 MB together, by their decoded size', () => {
    const bytes = (count: number) => `data:image/png;base64,${Buffer.alloc(count).toString('base64')}`;
    const images = (...counts: readonly number[]) => ({
      role: 'user',
      content: counts.map((count) => ({ type: 'image_url', image_url: { url: bytes(count) } })),
    });
    const MB = 1_048_576;
    expect(() => decodeMessages(images(5 * MB, 5 * MB, 2 * MB))).to.not.throw();
    expect(catchError(() => decodeMessages(images(5 * MB + 1))).param).to.equal('messages[0].content[0].image_url.url');
    expect(catchError(() => decodeMessages(images(5 * MB, 5 * MB), images(2 * MB + 3))).param).to.equal(
      'messages[1].content[0].image_url.url',
    );
  });

  const message = (members: object) => ({ role: 'user', content: 'x', ...members });
  const refused: readonly (readonly [string, object, string])[] = [
    ['an unknown role', message({ role: 'robot' }), 'messages[0].role'],
    ['a role of the prototype', message({ role: 'constructor' }), 'messages[0].role'],
    ['no role', message({ role: null }), 'messages[0].role'],
    ['a user without content', { role: 'user' }, 'messages[0].content'],
    ['content that is a number', message({ content: 5 }), 'messages[0].content'],
    ['a part that is a text', message({ content: ['x'] }), 'messages[0].content[0]'],
    ['a part without a type', message({ content: [{ text: 'x' }] }), 'messages[0].content[0].type'],
    ['a text part without text', message({ content: [{ type: 'text' }] }), 'messages[0].content[0].text'],
    [
      'an image by another scheme',
      message({ content: [{ type: 'image_url', image_url: { url: 'ftp://x' } }] }),
      'messages[0].content[0].image_url.url',
    ],
    ['an image without address', message({ content: [{ type: 'image_url' }] }), 'messages[0].content[0].image_url'],
    [
      'a file without data and id',
      message({ content: [{ type: 'file', file: {} }] }),
      'messages[0].content[0].file.file_id',
    ],
    ['a tool message without the id of its call', { role: 'tool', content: 'x' }, 'messages[0].tool_call_id'],
    ['calls that are no list', { role: 'assistant', tool_calls: {} }, 'messages[0].tool_calls'],
    [
      'a call without a function',
      { role: 'assistant', tool_calls: [{ id: 'a' }] },
      'messages[0].tool_calls[0].function',
    ],
    [
      'a call whose arguments are a number',
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: 5 } }] },
      'messages[0].tool_calls[0].function.arguments',
    ],
  ];
  for (const [what, wrong, param] of refused) {
    it(`rejects a request with ${what} and names '${param}'`, () => {
      const error = catchError(() => decodeMessages(wrong as Record<string, unknown>));
      expect([error.status, error.param]).to.deep.equal([400, param]);
    });
  }
  it('rejects a message that is not an object', () => {
    expect(catchError(() => decode({ messages: ['hi'] })).param).to.equal('messages[0]');
  });
});
