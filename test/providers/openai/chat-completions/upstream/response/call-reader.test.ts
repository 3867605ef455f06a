import { expect } from 'chai';
import { chunk, foldChunks, origin, readChunks } from '../../harness.ts';

const calls = (...fragments: readonly object[]) => fragments.map((tool) => chunk({ tool_calls: [tool] }));
const read = (...fragments: readonly object[]) =>
  foldChunks(...calls(...fragments), chunk({}, 'tool_calls')).choices[0]?.parts.map((part) =>
    part.type === 'tool-call' ? [part.id, part.name, part.input] : [part.type],
  );

describe('chat-completions: calls in upstream streams', () => {
  it('joins the fragments of a call by index', () => {
    expect(
      read(
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        { index: 0, function: { arguments: '{"x"' } },
        { index: 0, function: { arguments: ':1}' } },
      ),
    ).to.deep.equal([['a', 'f', '{"x":1}']]);
  });

  it('reads a call that comes in one chunk', () => {
    expect(read({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } })).to.deep.equal([
      ['a', 'f', '{"x":1}'],
    ]);
  });

  it('E6: reads arguments sent as an object', () => {
    expect(read({ index: 0, id: 'a', function: { name: 'f', arguments: { a: 1 } } })).to.deep.equal([
      ['a', 'f', '{"a":1}'],
    ]);
  });

  it('E7: reads missing arguments as {}', () => {
    expect(read({ index: 0, id: 'a', function: { name: 'f', arguments: '' } })).to.deep.equal([['a', 'f', '{}']]);
    expect(read({ index: 0, id: 'a', function: { name: 'f' } })).to.deep.equal([['a', 'f', '{}']]);
    expect(read({ index: 0, id: 'a', type: 'custom', custom: { name: 'p' } })).to.deep.equal([['a', 'p', '']]);
  });

  it('E52: reads interleaved calls', () => {
    expect(
      read(
        { index: 0, id: 'a', function: { name: 'f' } },
        { index: 1, id: 'b', function: { name: 'g' } },
        { index: 0, function: { arguments: '1' } },
        { index: 1, function: { arguments: '2' } },
        { index: 0, function: { arguments: '3' } },
      ),
    ).to.deep.equal([
      ['a', 'f', '13'],
      ['b', 'g', '2'],
    ]);
  });

  it('accepts an id that is repeated or empty on later fragments', () => {
    expect(
      read(
        { index: 0, id: 'a', function: { name: 'f', arguments: '1' } },
        { index: 0, id: 'a', function: { arguments: '2' } },
        { index: 0, id: '', function: { name: '', arguments: '3' } },
        { index: 0, id: null, function: { name: null, arguments: '4' } },
      ),
    ).to.deep.equal([['a', 'f', '1234']]);
  });

  it('accepts a repeated name of a call', () => {
    expect(
      read(
        { index: 0, id: 'a', function: { name: 'f', arguments: '1' } },
        { index: 0, function: { name: 'f', arguments: '2' } },
      ),
    ).to.deep.equal([['a', 'f', '12']]);
  });

  it('reads calls without an index: a new id or name starts a call', () => {
    expect(
      read(
        { id: 'a', function: { name: 'f', arguments: '1' } },
        { id: 'b', function: { name: 'f', arguments: '2' } },
        { function: { arguments: '3' } },
        { id: 'a', function: { arguments: '4' } },
      ),
    ).to.deep.equal([
      ['a', 'f', '14'],
      ['b', 'f', '23'],
    ]);
    expect(
      read(
        { function: { name: 'f', arguments: '1' } },
        { function: { arguments: '2' } },
        { function: { name: 'f', arguments: '3' } },
      ),
    ).to.deep.equal([
      ['call_3_0_0', 'f', '12'],
      ['call_3_0_1', 'f', '3'],
    ]);
  });

  it('reads calls that are all numbered 0', () => {
    expect(
      read(
        { index: 0, id: 'a', function: { name: 'f', arguments: '1' } },
        { index: 0, id: 'b', function: { name: 'g', arguments: '2' } },
        { index: 0, function: { arguments: '3' } },
      ),
    ).to.deep.equal([
      ['a', 'f', '1'],
      ['b', 'g', '23'],
    ]);
  });

  it('reads calls that are numbered with gaps', () => {
    expect(
      read({ index: 1, id: 'a', function: { name: 'f' } }, { index: 5, id: 'b', function: { name: 'g' } }),
    ).to.deep.equal([
      ['a', 'f', '{}'],
      ['b', 'g', '{}'],
    ]);
  });

  it('gives a call without an id a stable id', () => {
    expect(read({ index: 0, function: { name: 'f' } }, { index: 1, id: '', function: { name: 'f' } })).to.deep.equal([
      ['call_3_0_0', 'f', '{}'],
      ['call_3_0_1', 'f', '{}'],
    ]);
  });

  it('starts a call when its name is known and keeps what came before', () => {
    const events = readChunks(
      ...calls(
        { index: 0, id: 'a', function: { arguments: '1' } },
        { index: 0, function: { name: 'f', arguments: '2' } },
      ),
      chunk({}, 'tool_calls'),
    );
    expect(events.slice(1, 4)).to.deep.equal([
      { type: 'part-start', choice: 0, part: 0, kind: 'tool-call', call: { id: 'a', name: 'f', kind: 'function' } },
      { type: 'part-delta', choice: 0, part: 0, text: '12' },
      { type: 'part-end', choice: 0, part: 0 },
    ]);
    expect(read({ index: 0, id: 'a', function: { arguments: '1' } })).to.deep.equal([['a', '', '1']]);
  });

  it('reads a call in the delta of a text, which it ends', () => {
    const { choices } = foldChunks(
      chunk({ content: 'a', tool_calls: [{ index: 0, id: 'x', function: { name: 'f' } }] }),
      chunk({ content: 'b' }),
      chunk({}, 'stop'),
    );
    expect(choices[0]?.parts.map(({ type }) => type)).to.deep.equal(['text', 'tool-call', 'text']);
    expect(choices[0]?.finish.reason).to.equal('tool_calls');
  });

  it('reads the deprecated function_call', () => {
    const { choices } = foldChunks(
      chunk({ function_call: { name: 'f', arguments: '{"x"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      chunk({}, 'function_call'),
    );
    expect(choices[0]).to.deep.equal({
      parts: [{ type: 'tool-call', id: 'call_3_0_0', name: 'f', kind: 'function', input: '{"x":1}' }],
      finish: { reason: 'tool_calls', vendor: 'function_call' },
    });
    expect(
      foldChunks(chunk({ content: 'a', function_call: { name: '', arguments: '' } }, 'stop')).choices[0]?.parts,
    ).to.deep.equal([{ type: 'text', text: 'a' }]);
  });

  it('ignores an empty custom body beside the function of a call', () => {
    expect(
      read({
        index: 0,
        id: 'a',
        type: 'function',
        function: { name: 'f', arguments: '{}' },
        custom: { name: '', input: '' },
      }),
    ).to.deep.equal([['a', 'f', '{}']]);
  });

  it('keeps the signature of a call', () => {
    const { choices } = foldChunks(
      ...calls({ index: 0, id: 'a', function: { name: 'f' }, extra_content: { google: { thought_signature: 'S' } } }),
      chunk({}, 'stop'),
    );
    expect(choices[0]?.parts[0]).to.deep.include({ proof: { origin, value: 'S' } });
  });
});
