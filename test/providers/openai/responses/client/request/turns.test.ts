import { expect } from 'chai';
import { omitUndefined } from '../../../../../../core/api/codec.ts';
import { decodeItems, catchError } from '../harness.ts';

const user = { role: 'user', content: 'hi' };
const said = { type: 'output_text', text: 'Hello', annotations: [] };
const opaque = (value: unknown) => ({ type: 'opaque', wire: 'responses', value });

describe('responses: client input', () => {
  it('makes one turn of consecutive assistant items, and one of consecutive results', () => {
    const { turns } = decodeItems(
      user,
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'One.' },
          { type: 'summary_text', text: 'Two.' },
        ],
        encrypted_content: 'BLOB',
      },
      { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [said] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}', status: 'completed' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'g', input: 'free text' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sun' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' },
      { role: 'assistant', content: 'So.' },
    );
    expect(turns).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'One.\n\nTwo.', proof: { origin: undefined, value: 'BLOB' } },
          { type: 'text', text: 'Hello' },
          { type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', input: '{"a":1}' },
          { type: 'tool-call', id: 'call_2', name: 'g', kind: 'custom', input: 'free text' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', id: 'call_1', failed: false, parts: [{ type: 'text', text: 'sun' }] },
          { type: 'tool-result', id: 'call_2', failed: false, parts: [{ type: 'text', text: 'done' }] },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'So.' }] },
    ]);
  });

  it('keeps the phase of messages, and starts a new turn where it changes', () => {
    const message = (text: string, phase?: string) =>
      omitUndefined({
        role: 'assistant',
        content: text,
        phase,
      });
    const { turns } = decodeItems(
      user,
      message('a', 'commentary'),
      message('b', 'commentary'),
      message('c', 'final_answer'),
    );
    expect(turns.slice(1)).to.deep.equal([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        extra: { wire: 'responses', members: { phase: 'commentary' } },
      },
      {
        role: 'assistant',
        parts: [{ type: 'text', text: 'c' }],
        extra: { wire: 'responses', members: { phase: 'final_answer' } },
      },
    ]);
    expect(decodeItems(user, message('a'), message('b')).turns[1]?.parts).to.have.length(2);
  });

  it('E16: keeps system and developer items in their positions', () => {
    const { turns } = decodeItems({ role: 'system', content: 's' }, user, {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: 'd' }],
    });
    expect(turns.map(({ role, extra }) => [role, extra?.members])).to.deep.equal([
      ['system', undefined],
      ['user', undefined],
      ['system', { role: 'developer' }],
    ]);
  });

  it('makes each user message a separate turn', () => {
    expect(
      decodeItems(
        user,
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '' },
        { type: 'function_call_output', call_id: 'c', output: '' },
        user,
        user,
      ).turns.map(({ role }) => role),
    ).to.deep.equal(['user', 'assistant', 'user', 'user', 'user']);
  });

  it('E12: decodes images and files in the output of a call', () => {
    const output = [
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0x', filename: 'a.pdf' },
    ];
    const [, turn] = decodeItems(
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', name: 'f', status: 'incomplete', output },
    ).turns;
    expect(turn?.parts).to.deep.equal([
      {
        type: 'tool-result',
        id: 'c',
        name: 'f',
        failed: true,
        parts: [
          { type: 'text', text: 'see' },
          { type: 'media', media: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' }, detail: 'low' },
          { type: 'media', media: { mediaType: 'application/pdf', base64: 'JVBERi0x' }, name: 'a.pdf' },
        ],
      },
    ]);
  });

  it('decodes every kind of content', () => {
    const content = [
      { type: 'input_text', text: 't', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
      { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'high' },
      { type: 'input_image', file_id: 'file_1', detail: 'auto' },
      { type: 'input_file', file_url: 'https://example.com/a.pdf' },
      { type: 'input_file', file_id: 'file_2' },
      { type: 'input_file', file_data: 'JVBERi0x', filename: 'b.pdf' },
      { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
      { type: 'brand_new', a: 1 },
    ];
    expect(decodeItems({ role: 'user', content }).turns[0]?.parts).to.deep.equal([
      { type: 'text', text: 't', cache: { ttl: '12h' } },
      { type: 'media', media: { mediaType: 'image/*', url: 'https://example.com/a.png' }, detail: 'high' },
      { type: 'media', media: { mediaType: 'image/*', fileId: 'file_1' } },
      { type: 'media', media: { mediaType: 'application/pdf', url: 'https://example.com/a.pdf' } },
      { type: 'media', media: { mediaType: 'application/octet-stream', fileId: 'file_2' } },
      { type: 'media', media: { mediaType: 'application/pdf', base64: 'JVBERi0x' }, name: 'b.pdf' },
      { type: 'media', media: { mediaType: 'audio/mp3', base64: 'QUJD' } },
      opaque({ type: 'brand_new', a: 1 }),
    ]);
  });

  it('E53: decodes data URIs in every form', () => {
    const [part] =
      decodeItems({
        role: 'user',
        content: [{ type: 'input_image', image_url: 'DATA:image/jpg;charset=utf-8;base64,/9j/\n4AAQ' }],
      }).turns[0]?.parts ?? [];
    expect(part).to.deep.equal({ type: 'media', media: { mediaType: 'image/jpeg', base64: '/9j/4AAQ' } });
  });

  it('E54: rejects an image over 5 MB, and images over 12 MB together, in any position', () => {
    const image = (megabytes: number) => ({
      type: 'input_image',
      image_url: `data:image/png;base64,${'A'.repeat(Math.ceil((megabytes * 1_048_576 * 4) / 3 / 4) * 4)}`,
    });
    expect(catchError(() => decodeItems({ role: 'user', content: [image(5.1)] }))).to.include({
      status: 400,
      param: 'input[0].content[0].image_url',
    });
    const file = { type: 'input_file', filename: 'a.png', file_data: image(5.1).image_url };
    expect(catchError(() => decodeItems({ role: 'user', content: [file] })).param).to.equal(
      'input[0].content[0].file_data',
    );
    const results = { type: 'function_call_output', call_id: 'c', output: [image(4.9), image(4.9)] };
    expect(catchError(() => decodeItems({ role: 'user', content: [image(4.9)] }, results))).to.include({
      status: 400,
      param: 'input[1].output[1].image_url',
    });
    expect(decodeItems({ role: 'user', content: [image(4.9), image(4.9)] }).turns).to.have.length(1);
  });

  it('decodes citations and refusals of earlier responses', () => {
    const annotation = { type: 'url_citation', url: 'https://a.b', title: 'T', start_index: 0, end_index: 5 };
    expect(
      decodeItems(user, {
        role: 'assistant',
        content: [
          { ...said, annotations: [annotation] },
          { type: 'refusal', refusal: 'No.' },
        ],
      }).turns[1]?.parts,
    ).to.deep.equal([
      {
        type: 'text',
        text: 'Hello',
        citations: [
          { url: 'https://a.b', title: 'T', start: 0, end: 5, vendor: { wire: 'responses', value: annotation } },
        ],
      },
      { type: 'refusal', text: 'No.' },
    ]);
  });

  it('decodes the reasoning of open models, and skips items that only the vendor can read', () => {
    const reasoning = (members: object) =>
      decodeItems(user, { type: 'reasoning', id: 'rs_1', ...members }, { role: 'assistant', content: 'a' }).turns[1]
        ?.parts[0];
    expect(reasoning({ summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] })).to.deep.equal({
      type: 'reasoning',
      text: 'hm',
    });
    expect(reasoning({ summary: [], encrypted_content: 'X' })).to.deep.equal({
      type: 'reasoning',
      text: '',
      proof: { origin: undefined, value: 'X' },
    });
    expect(reasoning({ summary: [], encrypted_content: null })).to.deep.equal({ type: 'text', text: 'a' });
    expect(reasoning({})).to.deep.equal({ type: 'text', text: 'a' });
  });

  it('keeps items that only this wire defines, in their positions', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
    const shell = { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] }, caller: { type: 'program' } };
    const shellOutput = { type: 'shell_call_output', call_id: 'c', output: [], caller: { type: 'program' } };
    const compaction = { type: 'compaction', encrypted_content: 'X' };
    const tools = { type: 'additional_tools', role: 'developer', tools: [] };
    expect(
      decodeItems(tools, user, search, { role: 'assistant', content: 'a' }, shell, shellOutput, compaction).turns.map(
        ({ role, parts }) => [role, parts],
      ),
    ).to.deep.equal([
      ['user', [opaque(tools)]],
      ['user', [{ type: 'text', text: 'hi' }]],
      [
        'assistant',
        [opaque(search), { type: 'text', text: 'a' }, opaque(shell), opaque(shellOutput), opaque(compaction)],
      ],
    ]);
  });

  it('keeps calls made by a program at the vendor', () => {
    const caller = { type: 'program', caller_id: 'p' };
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', caller };
    const output = { type: 'function_call_output', call_id: 'c', output: 'x', caller };
    expect(decodeItems(user, call, output).turns.slice(1)).to.deep.equal([
      { role: 'assistant', parts: [opaque(call)] },
      { role: 'user', parts: [opaque(output)] },
    ]);
  });

  it('accepts arguments as an object, and the item id where the call id is missing', () => {
    expect(
      decodeItems(user, { type: 'function_call', id: 'fc_1', name: 'f', arguments: { a: 1 } }).turns[1]?.parts,
    ).to.deep.equal([{ type: 'tool-call', id: 'fc_1', name: 'f', kind: 'function', input: '{"a":1}' }]);
  });

  it('rejects invalid items with the path of the fault', () => {
    const wrong: readonly (readonly [item: unknown, param: string])[] = [
      ['hi', 'input[0]'],
      [null, 'input[0]'],
      [{}, 'input[0].role'],
      [{ role: 'robot', content: 'a' }, 'input[0].role'],
      [{ role: 'constructor', content: 'a' }, 'input[0].role'],
      [{ role: 'user' }, 'input[0].content'],
      [{ role: 'user', content: 5 }, 'input[0].content'],
      [{ role: 'user', content: [5] }, 'input[0].content[0]'],
      [{ role: 'user', content: [{}] }, 'input[0].content[0].type'],
      [{ role: 'user', content: [{ type: 'input_text' }] }, 'input[0].content[0].text'],
      [{ role: 'user', content: [{ type: 'input_image' }] }, 'input[0].content[0].file_id'],
      [{ role: 'user', content: [{ type: 'input_image', image_url: 'ftp://a' }] }, 'input[0].content[0].image_url'],
      [{ role: 'user', content: [{ type: 'input_audio' }] }, 'input[0].content[0].input_audio'],
      [{ type: 5 }, 'input[0].type'],
      [{ type: 'function_call', name: 'f', arguments: '' }, 'input[0].call_id'],
      [{ type: 'function_call', call_id: 'c', arguments: '' }, 'input[0].name'],
      [{ type: 'function_call', call_id: 'c', name: 'f', arguments: 5 }, 'input[0].arguments'],
      [{ type: 'function_call_output', output: 'x' }, 'input[0].call_id'],
      [{ type: 'function_call_output', call_id: 'c' }, 'input[0].output'],
      [{ type: 'reasoning', summary: 'x' }, 'input[0].summary'],
      [{ type: 'reasoning', summary: [], encrypted_content: 5 }, 'input[0].encrypted_content'],
    ];
    for (const [item, param] of wrong) {
      const error = catchError(() => decodeItems(item));
      expect([error.status, error.param], JSON.stringify(item)).to.deep.equal([400, param]);
    }
  });
});
