import { expect } from 'chai';
import { GatewayError, type Part, type Turn } from '../../../../../../core/api/index.ts';
import { sealProof } from '../../../../../../core/api/codec.ts';
import { decode } from '../../exchange.ts';

const turnOf = (content: unknown, role = 'user'): Turn => {
  const { turns } = decode({ messages: [{ role, content }] });
  const [turn] = turns;
  if (turn === undefined) throw new Error('there is a turn');
  return turn;
};
const partOf = (block: unknown, role?: string): Part | undefined => turnOf([block], role).parts[0];

const png = 'iVBORw0KGgo=';

describe('messages client: content blocks', () => {
  it('reads images from bytes, URLs and file ids', () => {
    expect(partOf({ type: 'image', source: { type: 'base64', media_type: 'image/jpg', data: png } })).to.deep.equal({
      type: 'media',
      media: { mediaType: 'image/jpeg', base64: png },
    });
    expect(partOf({ type: 'image', source: { type: 'url', url: 'https://x/a.png' } })).to.deep.equal({
      type: 'media',
      media: { mediaType: 'image/*', url: 'https://x/a.png' },
    });
    expect(partOf({ type: 'image', source: { type: 'url', url: `data:image/png;base64,${png}` } })).to.deep.equal({
      type: 'media',
      media: { mediaType: 'image/png', base64: png },
    });
    expect(partOf({ type: 'image', source: { type: 'file', file_id: 'f1' } })).to.deep.equal({
      type: 'media',
      media: { mediaType: 'image/*', fileId: 'f1' },
    });
  });

  it('normalises base64 with line breaks or URL-safe letters', () => {
    expect(
      partOf({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'ab-_\ncd==' } }),
    ).to.deep.equal({ type: 'media', media: { mediaType: 'image/png', base64: 'ab+/cd==' } });
  });

  it('reads documents from every kind of source', () => {
    expect(
      partOf({
        type: 'document',
        title: 't',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
      }),
    ).to.deep.equal({
      type: 'media',
      media: { mediaType: 'application/pdf', base64: 'JVBERi0=' },
      name: 't',
    });
    expect(partOf({ type: 'document', source: { type: 'url', url: 'https://x/a.pdf' } })).to.deep.equal({
      type: 'media',
      media: { mediaType: 'application/pdf', url: 'https://x/a.pdf' },
    });
    expect(partOf({ type: 'document', source: { type: 'file', file_id: 'f' } })).to.deep.equal({
      type: 'media',
      media: { mediaType: 'application/pdf', fileId: 'f' },
    });
    const text = partOf({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'grüße' } });
    expect(text).to.deep.equal({
      type: 'media',
      media: { mediaType: 'text/plain', base64: Buffer.from('grüße').toString('base64') },
    });
  });

  it('decodes documents made of blocks and search results as text for other wires', () => {
    const document = {
      type: 'document',
      title: 'T',
      source: {
        type: 'content',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    };
    const result = {
      type: 'search_result',
      source: 'https://s',
      title: 'R',
      content: [{ type: 'text', text: 'found' }],
      citations: { enabled: true },
    };
    const turn = turnOf([document, result]);
    expect(turn.parts).to.deep.equal([
      { type: 'text', text: 'T\na\nb' },
      { type: 'text', text: 'R\nhttps://s\nfound' },
    ]);
    expect(turn.extra?.members).to.deep.equal({ 'content[0]': document, 'content[1]': result });
  });

  it('reads calls and results with nested blocks and cache marks', () => {
    expect(
      partOf(
        { type: 'tool_use', id: 't1', name: 'f', input: { b: 1, a: [2] }, caller: { type: 'direct' } },
        'assistant',
      ),
    ).to.deep.equal({
      type: 'tool-call',
      id: 't1',
      name: 'f',
      kind: 'function',
      input: '{"b":1,"a":[2]}',
    });
    const result = {
      type: 'tool_result',
      tool_use_id: 't1',
      is_error: true,
      cache_control: { type: 'ephemeral' },
      content: [
        { type: 'text', text: 'ENOENT' },
        { type: 'tool_reference', tool_name: 'g' },
      ],
    };
    expect(partOf(result)).to.deep.equal({
      type: 'tool-result',
      id: 't1',
      failed: true,
      parts: [
        { type: 'text', text: 'ENOENT' },
        { type: 'text', text: 'Tool found: g\n' },
      ],
      cache: { ttl: '5m' },
    });
    expect(partOf({ type: 'tool_result', tool_use_id: 't1', content: 'ok' })).to.deep.equal({
      type: 'tool-result',
      id: 't1',
      failed: false,
      parts: [{ type: 'text', text: 'ok' }],
    });
    expect(partOf({ type: 'tool_result', tool_use_id: 't1' })).to.deep.equal({
      type: 'tool-result',
      id: 't1',
      failed: false,
      parts: [],
    });
  });

  it("unseals proofs that the gateway sealed and takes all others for the vendor's", () => {
    const own = { origin: { provider: 'google', family: 'gemini' }, value: 'SIG' };
    expect(partOf({ type: 'thinking', thinking: 'x', signature: sealProof(own) }, 'assistant')).to.deep.equal({
      type: 'reasoning',
      text: 'x',
      proof: own,
    });
    expect(partOf({ type: 'thinking', thinking: 'x', signature: 'EqAB' }, 'assistant')).to.deep.equal({
      type: 'reasoning',
      text: 'x',
      proof: { origin: undefined, value: 'EqAB' },
    });
    expect(partOf({ type: 'redacted_thinking', data: 'D' }, 'assistant')).to.deep.equal({
      type: 'reasoning',
      text: '',
      redacted: true,
      proof: { origin: undefined, value: 'D' },
    });
    const lookalike = { type: 'thinking', thinking: 'x', signature: 'call:t\nSIG' };
    expect(
      turnOf([{ type: 'tool_use', id: 't', name: 'f', input: {} }, lookalike], 'assistant').parts[1],
    ).to.deep.equal({ type: 'reasoning', text: 'x', proof: { origin: undefined, value: 'call:t\nSIG' } });
    expect(partOf({ type: 'thinking', thinking: 'x' }, 'assistant')).to.deep.equal({ type: 'reasoning', text: 'x' });
  });

  it('keeps server tool blocks and unknown blocks unchanged', () => {
    for (const block of [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'invented_2031', anything: [1] },
      { type: 'constructor' },
    ]) {
      expect(partOf(block, 'assistant')).to.deep.equal({ type: 'opaque', wire: 'messages', value: block });
    }
  });

  it('keeps a block with unknown members under its path', () => {
    const called = {
      type: 'tool_use',
      id: 't',
      name: 'f',
      input: {},
      caller: { type: 'code_execution_20260120', tool_id: 's' },
    };
    const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral', scope: 'global' } };
    expect(turnOf([{ type: 'text', text: 'a' }, called], 'assistant').extra?.members).to.deep.equal({
      'content[1]': called,
    });
    expect(turnOf([marked]).extra?.members).to.deep.equal({ 'content[0]': marked });
    const nested = { type: 'text', text: 'x', new_member: 1 };
    expect(turnOf([{ type: 'tool_result', tool_use_id: 't', content: [nested] }]).extra?.members).to.deep.equal({
      'content[0].content[0]': nested,
    });
    for (const citations of [null, []])
      expect(turnOf([{ type: 'text', text: 'x', citations }])).not.to.have.property('extra');
  });

  it('names the invalid member of a block', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [{ type: 'image' }, 'source'],
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png' } }, 'source.data'],
      [{ type: 'image', source: { type: 'text', data: 'x' } }, 'source.type'],
      [{ type: 'document', source: { type: 'ftp' } }, 'source.type'],
      [{ type: 'tool_use', id: 'a', name: 'f', input: '{}' }, 'input'],
      [{ type: 'tool_use', name: 'f', input: {} }, 'id'],
      [{ type: 'tool_result', content: 'x' }, 'tool_use_id'],
      [{ type: 'tool_result', tool_use_id: 'a', content: 5 }, 'content'],
      [{ type: 'redacted_thinking' }, 'data'],
      [{ type: 'text', text: 'x', cache_control: { type: 'eternal' } }, 'cache_control.type'],
      [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '2h' } }, 'cache_control.ttl'],
    ];
    for (const [block, member] of cases) {
      expect(() => partOf(block), member)
        .to.throw(GatewayError)
        .with.property('param', `messages[0].content[0].${member}`);
    }
  });
});

describe('messages client: image limits', () => {
  const image = (megabytes: number) => ({
    type: 'image',
    source: {
      type: 'base64',
      media_type: 'image/png',
      data: 'A'.repeat(Math.ceil((megabytes * 1_048_576 * 4) / 3 / 4) * 4),
    },
  });

  it('rejects an image above 5 MB before anything is sent (E54)', () => {
    expect(() => partOf(image(5.1)))
      .to.throw(GatewayError, /at most 5 MB/)
      .with.property('param', 'messages[0].content[0].source.data');
    expect(() => partOf(image(4.9))).not.to.throw();
  });

  it('rejects more than 12 MB of images together, wherever they are', () => {
    const content = [image(4.5), { type: 'tool_result', tool_use_id: 't', content: [image(4.5)] }];
    expect(() => turnOf(content)).not.to.throw();
    expect(() => turnOf([...content, image(4.5)])).to.throw(GatewayError, /at most 12 MB/);
    expect(() => partOf({ type: 'tool_result', tool_use_id: 't', content: [image(5.1)] })).to.throw(
      GatewayError,
      /at most 5 MB/,
    );
  });
});
