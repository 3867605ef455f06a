import { expect } from 'chai';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import type { Part } from '../../../../core/canonical/part.ts';
import type { Tool } from '../../../../core/canonical/tool.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { customToolsFit } from '../../../../core/fits/tools/custom-tools.ts';
import {
  assistant,
  call,
  createAnswer,
  createProfile,
  createRequest,
  filterEvents,
  namesOf,
  runFit,
  user,
} from '../samples.ts';
import { checkGrammar } from '../event-grammar.ts';

const patch: Tool = {
  name: 'patch',
  kind: 'custom',
  description: 'Applies a patch.',
  vendor: { format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } } },
};
const find: Tool = { name: 'find', kind: 'function' };
const past: Part = { type: 'tool-call', id: '1', name: 'patch', kind: 'custom', input: 'a "b"' };
const request = createRequest({ tools: [patch, find], turns: [user('a'), assistant(past)] });
const profile = createProfile({ customTools: false });

const createFilter = () => {
  const reply = runFit(customToolsFit, request, profile).fitted?.reply;
  if (reply === undefined) throw new Error('no reply');
  return reply();
};

describe('custom-tools fit', () => {
  it('declares a free-text tool as a function with the grammar in its description', () => {
    const { request: fitted, losses } = runFit(customToolsFit, request, profile);
    expect(fitted.tools[0]).to.deep.equal({
      name: 'patch',
      kind: 'function',
      description: 'Applies a patch.\n\n\'input\' must follow this lark grammar:\nstart: "x"',
      schema: {
        type: 'object',
        properties: { input: { type: 'string' } },
        required: ['input'],
        additionalProperties: false,
      },
    });
    expect(fitted.tools[1]).to.equal(find);
    expect(namesOf(losses)).to.deep.equal(['tools approximated']);
  });

  it('reads a free-text tool with the flat grammar of responses', () => {
    const flat: Tool = {
      name: 'p',
      kind: 'custom',
      vendor: { format: { type: 'grammar', syntax: 'regex', definition: 'a+' } },
    };
    expect(runFit(customToolsFit, { ...request, tools: [flat] }, profile).request.tools[0]?.description).to.equal(
      "'input' must follow this regex grammar:\na+",
    );
  });

  it('rewrites calls of a free-text tool in the history, even if the tool is not declared anymore', () => {
    const rewritten = { ...past, kind: 'function', input: '{"input":"a \\"b\\""}' };
    expect(runFit(customToolsFit, request, profile).request.turns[1]?.parts).to.deep.equal([rewritten]);
    const { fitted } = runFit(customToolsFit, { ...request, tools: [find] }, profile);
    expect(fitted?.request.turns[1]?.parts).to.deep.equal([rewritten]);
    expect(fitted?.reply).to.equal(undefined);
  });

  it('converts the calls of free-text tools in the response back, and leaves others unchanged', () => {
    const events = createAnswer(
      [
        't',
        { name: 'patch', pieces: ['{"inp', 'ut":"x \\u00', 'e9"}'] },
        { name: 'find', pieces: ['{"input":', '"q"}'] },
      ],
      'tool_calls',
    );
    const out = filterEvents(createFilter(), events);
    expect(checkGrammar(out)).to.deep.equal([]);
    expect(foldEvents(out).choices[0]?.parts).to.deep.equal([
      { type: 'text', text: 't' },
      { type: 'tool-call', id: 'c1', name: 'patch', kind: 'custom', input: 'x é' },
      { ...call('c2', 'find', '{"input":"q"}') },
    ]);
  });

  it('converts interleaved calls of free-text tools separately', () => {
    const [start, ...rest] = createAnswer([{ name: 'patch', pieces: ['{"input":"a"}'] }]);
    const [, second] = createAnswer(['', { name: 'patch', pieces: [] }]).filter(({ type }) => type === 'part-start');
    const [firstStart, firstDelta, firstEnd, ...end] = rest;
    if (
      start === undefined ||
      second === undefined ||
      firstStart === undefined ||
      firstDelta === undefined ||
      firstEnd === undefined
    )
      throw new Error('sample');
    const out = filterEvents(createFilter(), [
      start,
      firstStart,
      second,
      { type: 'part-delta', choice: 0, part: 1, text: '{"input":' },
      firstDelta,
      { type: 'part-delta', choice: 0, part: 1, text: '"b"}' },
      firstEnd,
      { type: 'part-end', choice: 0, part: 1 },
      ...end,
    ]);
    expect(checkGrammar(out)).to.deep.equal([]);
    expect(
      foldEvents(out).choices[0]?.parts.map((part) => (part.type === 'tool-call' ? part.input : '')),
    ).to.deep.equal(['a', 'b']);
  });

  it('passes on the raw input if it is not the expected JSON', () => {
    const out = foldEvents(filterEvents(createFilter(), createAnswer([{ name: 'patch', pieces: ['raw ', 'text'] }])));
    expect(out.choices[0]?.parts[0]).to.include({ kind: 'custom', input: 'raw text' });
  });

  it('sends nothing of an incomplete call of a free-text tool', () => {
    const events = createAnswer([{ name: 'patch', pieces: ['{"input":"rm -rf'] }]).slice(0, 3);
    const out = filterEvents(createFilter(), [...events, { type: 'error', error: new GatewayError('upstream_reset') }]);
    expect(checkGrammar(out)).to.deep.equal([]);
    expect(out.map(({ type }) => type)).to.deep.equal(['response-start', 'part-start', 'error']);
  });

  it('changes nothing if free text is supported or no such tool is declared', () => {
    expect(runFit(customToolsFit, request, createProfile()).fitted).to.equal(undefined);
    expect(runFit(customToolsFit, createRequest({ tools: [find] }), profile).fitted).to.equal(undefined);
  });
});
