import { expect } from 'chai';
import type { Part, Turn } from '../../../../../../core/api/index.ts';
import { decodeMessages, encode, foreign, catchError } from '../../harness.ts';

const text = (value: string): Part => ({ type: 'text', text: value });
const call = (id: string, input = '{}'): Part => ({ type: 'tool-call', id, name: 'f', kind: 'function', input });
const result = (id: string, ...parts: readonly Part[]): Part => ({ type: 'tool-result', id, failed: false, parts });
const image: Part = { type: 'media', media: { mediaType: 'image/png', base64: 'QQ==' } };
const written = (...turns: readonly Turn[]) => {
  const { body, losses } = encode(foreign({ turns }));
  return { messages: body['messages'] as Record<string, unknown>[], losses };
};
const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts });
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });

describe('chat-completions: upstream messages', () => {
  it('writes messages back as the client of this wire sent them', () => {
    const messages = [
      { role: 'developer', content: 'd', name: 'boss' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://x/a.png', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'QQ==', format: 'mp3' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          { type: 'file', file: { file_id: 'x' } },
          { type: 'video_url', video_url: {} },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } },
          { id: 'b', type: 'custom', custom: { name: 'p', input: 'free' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', name: 'f', content: 'r' },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: [
          { type: 'text', text: 'r' },
          { type: 'text', text: 's' },
        ],
      },
      { role: 'assistant', content: null, refusal: 'no' },
      { role: 'assistant', content: 'x', prefix: true },
    ];
    expect(encode(decodeMessages(...messages)).body['messages']).to.deep.equal(messages);
    expect(encode(decodeMessages(...messages)).losses).to.deep.equal([]);
  });

  it('writes results first in their turn, before the text of the user', () => {
    const { messages } = written(
      assistant(call('1'), call('2')),
      user(text('go'), result('2', text('two')), result('1', text('one'))),
    );
    expect(messages.map(({ role, tool_call_id: id, content }) => [role, id, content])).to.deep.equal([
      ['assistant', undefined, null],
      ['tool', '2', 'two'],
      ['tool', '1', 'one'],
      ['user', undefined, 'go'],
    ]);
  });

  it('E12: writes the image of a result after the last result, with a note in its place', () => {
    const { messages, losses } = written(
      assistant(call('1'), call('2')),
      user(result('1', text('t'), image)),
      user(result('2', image)),
      user(text('go')),
    );
    expect(messages.slice(1)).to.deep.equal([
      {
        role: 'tool',
        tool_call_id: '1',
        content: [
          { type: 'text', text: 't' },
          { type: 'text', text: '[image attached]' },
        ],
      },
      { role: 'tool', tool_call_id: '2', content: '[image attached]' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } },
        ],
      },
      { role: 'user', content: 'go' },
    ]);
    expect(losses.map(({ field, kind }) => `${kind} ${field}`)).to.deep.equal([
      'approximated messages[1].content[0].content',
      'approximated messages[2].content[0].content',
    ]);
  });

  it('E12: writes the image of a result at the end of the conversation as well', () => {
    expect(written(user(result('1', image))).messages.map(({ role }) => role)).to.deep.equal(['tool', 'user']);
  });

  it('E13: marks a failed result in its text', () => {
    const failed: Part = { type: 'tool-result', id: '1', failed: true, parts: [text('ENOENT')] };
    const { messages, losses } = written(user(failed));
    expect(messages[0]).to.include({ role: 'tool', content: 'Error: ENOENT' });
    expect(losses.map(({ kind }) => kind)).to.deep.equal(['approximated']);
  });

  it('E4: writes an empty input as {}', () => {
    expect(written(assistant(call('1', ''))).messages[0]).to.deep.include({
      tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
  });

  it('E5: wraps input that is not a JSON object in one, except for clients of this wire', () => {
    const argumentsOf = (input: string): unknown => written(assistant(call('1', input))).messages[0]?.['tool_calls'];
    const callWith = (input: string): object => ({
      id: '1',
      type: 'function',
      function: { name: 'f', arguments: input },
    });
    const cut = '{"city": "Par';
    expect(argumentsOf(cut)).to.deep.equal([callWith(JSON.stringify({ _raw: cut }))]);
    expect(argumentsOf('[12345678901234567890]')).to.deep.equal([callWith('{"value":[12345678901234567890]}')]);
    expect(argumentsOf('{"n":12345678901234567890}')).to.deep.equal([callWith('{"n":12345678901234567890}')]);
    expect(written(assistant(call('1', cut))).losses).to.deep.include({
      field: 'messages[0].input',
      kind: 'approximated',
      detail: 'arguments that are not a JSON object were wrapped in one',
    });
    const own = [{ role: 'assistant', content: null, tool_calls: [callWith(cut)] }];
    expect(encode(decodeMessages(...own)).body['messages']).to.deep.equal(own);
  });

  it('E17: writes an empty assistant turn with empty content', () => {
    expect(written(assistant()).messages).to.deep.equal([{ role: 'assistant', content: '' }]);
  });

  it('E16: keeps a system turn in its position', () => {
    expect(
      written(user(text('a')), { role: 'system', parts: [text('s')] }, user(text('b'))).messages.map(
        ({ role }) => role,
      ),
    ).to.deep.equal(['user', 'system', 'user']);
  });

  it('keeps the blocks of a system prompt separate', () => {
    const { messages } = written({ role: 'system', parts: [text('a'), text('b')] });
    expect(messages[0]?.['content']).to.deep.equal([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('writes reasoning in its own members, with proofs as the vendor made them', () => {
    const proof = { origin: { provider: 'acme', family: 'anthropic' }, value: 'SIG' };
    const { messages } = written(
      assistant(
        { type: 'reasoning', text: 'hm', proof },
        { type: 'reasoning', text: '', redacted: true, proof: { ...proof, value: 'D' } },
        text('t'),
      ),
    );
    expect(messages[0]).to.deep.equal({
      role: 'assistant',
      content: 't',
      reasoning_content: 'hm',
      reasoning_details: [
        { type: 'reasoning.text', text: 'hm', signature: 'SIG', format: 'anthropic-claude-v1', index: 0 },
        { type: 'reasoning.encrypted', data: 'D', index: 1, format: 'anthropic-claude-v1' },
      ],
    });
    expect(written(assistant({ type: 'reasoning', text: 'hm' }, text('t'))).messages[0]).to.deep.equal({
      role: 'assistant',
      content: 't',
      reasoning_content: 'hm',
    });
  });

  it('never writes reasoning as text', () => {
    const { messages } = written(assistant({ type: 'reasoning', text: 'MARKER' }, text('t')));
    expect(messages[0]?.['content']).to.equal('t');
  });

  it('moves an image of an assistant to the next user message', () => {
    const { messages, losses } = written(assistant(text('t'), image), user(text('u')));
    expect(messages.map(({ role }) => role)).to.deep.equal(['assistant', 'user', 'user']);
    expect(losses.map(({ kind }) => kind)).to.deep.equal(['approximated']);
  });

  it('writes the address of a document that can only be sent as bytes', () => {
    const { messages, losses } = written(
      user({ type: 'media', media: { mediaType: 'application/pdf', url: 'https://x/a.pdf' } }),
    );
    expect(JSON.stringify(messages)).to.contain('https://x/a.pdf');
    expect(losses.map(({ kind }) => kind)).to.deep.equal(['approximated']);
  });

  it('writes cache marks by their lifetime, in the form of OpenAI or OpenRouter, and reports those on calls as lost', () => {
    const { messages, losses } = written(
      user(
        { ...text('a'), cache: { ttl: '12h' } },
        { ...text('b'), cache: { ttl: '5m' } },
        { ...result('1', text('r')), cache: { ttl: '1h' } },
      ),
      assistant({ ...call('2'), cache: { ttl: '5m' } }),
    );
    expect(messages[1]?.['content']).to.deep.equal([
      { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
    ]);
    expect(messages[0]?.['content']).to.deep.equal([
      { type: 'text', text: 'r', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
    expect(losses.map(({ field }) => field)).to.deep.equal(['messages[1].tool_calls.cache']);
  });

  it('leaves out a turn with only blocks of other wires, and fails when no other turn is left', () => {
    const block: Part = { type: 'opaque', wire: 'responses', value: { type: 'web_search_call' } };
    const { messages, losses } = written(user(block), assistant(block, block), user(text('x'), block));
    expect(messages).to.deep.equal([{ role: 'user', content: 'x' }]);
    expect(new Set(losses.map(({ field }) => field))).to.deep.equal(
      new Set(['messages[0].content[0]', 'messages[1].content[0]', 'messages[2].content[1]']),
    );
    expect(catchError(() => written(user(block))).code).to.equal('unsupported_parameter');
  });

  it('reports blocks and members of other wires as lost', () => {
    const { losses } = written({
      ...user({ type: 'opaque', wire: 'messages', value: {} }, text('x')),
      extra: { wire: 'messages', members: { odd: 1 } },
    });
    expect(losses.map(({ field }) => field)).to.deep.equal(['messages[0].odd', 'messages[0].content[0]']);
  });
});
