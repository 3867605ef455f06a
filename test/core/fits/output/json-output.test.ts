import { expect } from 'chai';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import type { GenerateRequest, OutputFormat } from '../../../../core/canonical/request.ts';
import type { Tool } from '../../../../core/canonical/tool.ts';
import { jsonOutputFit } from '../../../../core/fits/output/json-output.ts';
import { checkGrammar } from '../event-grammar.ts';
import { createAnswer, createProfile, createRequest, filterEvents, namesOf, runFit, system, user } from '../samples.ts';

const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const output: OutputFormat = { type: 'schema', name: 'out', schema, strict: true };
const tools: readonly Tool[] = [{ name: 'find', kind: 'function' }];
const noSchema = createProfile({ schema: false });

const answer = (request: GenerateRequest, events: ReturnType<typeof createAnswer>) => {
  const reply = runFit(jsonOutputFit, request, noSchema).fitted?.reply;
  if (reply === undefined) throw new Error('no reply');
  const out = filterEvents(reply(), events);
  expect(checkGrammar(out)).to.deep.equal([]);
  return { out, choice: foldEvents(out).choices[0] };
};

describe('json-output fit', () => {
  describe('JSON mode', () => {
    const json = createRequest({ output: { type: 'json' }, turns: [system('s'), user('a')] });

    it('JSON mode becomes a line at the end of the system prompt if the target has none', () => {
      const { request, losses } = runFit(jsonOutputFit, json, createProfile({ json: false }));
      expect(request.output).to.equal(undefined);
      expect(request.turns).to.deep.equal([
        system('s'),
        system('Answer with a single JSON object and nothing else.'),
        user('a'),
      ]);
      expect(namesOf(losses)).to.deep.equal(['response_format injected']);
    });

    it('JSON mode adds the word JSON that the wire requires, unless the prompt contains it', () => {
      const chat = createProfile({}, { wire: 'chat-completions' });
      const helped = runFit(jsonOutputFit, json, chat);
      expect(helped.request.output).to.deep.equal({ type: 'json' });
      expect(helped.request.turns).to.have.length(3);
      expect(runFit(jsonOutputFit, { ...json, turns: [user('as Json please')] }, chat).fitted).to.equal(undefined);
    });

    it('JSON mode is unchanged if the target supports it', () => {
      expect(runFit(jsonOutputFit, json, createProfile()).fitted).to.equal(undefined);
      expect(runFit(jsonOutputFit, json, noSchema).fitted).to.equal(undefined);
    });
  });

  describe('a schema', () => {
    it('a schema is unchanged if the target supports schemas', () => {
      expect(runFit(jsonOutputFit, createRequest({ output }), createProfile({ json: false })).fitted).to.equal(
        undefined,
      );
    });

    it('a schema becomes one forced tool', () => {
      const { request, losses } = runFit(jsonOutputFit, createRequest({ output }), noSchema);
      expect(request.output).to.equal(undefined);
      expect(request.tools).to.have.length(1);
      expect(request.tools[0]).to.deep.include({ name: 'json', kind: 'function', schema, strict: true });
      expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['json'] });
      expect(request.parallelTools).to.equal(false);
      expect(namesOf(losses)).to.deep.equal(['response_format approximated']);
    });

    it('the hidden tool gets another name if the client has a tool of its name', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools: [{ name: 'json', kind: 'function' }] }),
        noSchema,
      );
      expect(request.tools[1]?.name).not.to.equal('json');
    });

    it('a schema becomes a tool beside the client’s, with a forced call and a line that explains it', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools, toolChoice: { mode: 'auto', only: ['find'] } }),
        noSchema,
      );
      expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['find', 'json'] });
      expect(request.tools.map(({ name }) => name)).to.deep.equal(['find', 'json']);
      expect(request.turns[0]?.role).to.equal('system');
    });

    it('a schema becomes the only callable tool if the client’s tools must not be called', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools, toolChoice: { mode: 'none' } }),
        noSchema,
      );
      expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['json'] });
    });

    it('a schema is dropped if the client requires a call', () => {
      const { request, losses } = runFit(
        jsonOutputFit,
        createRequest({ output, tools, toolChoice: { mode: 'required' } }),
        noSchema,
      );
      expect(request).to.deep.include({ output: undefined, tools });
      expect(namesOf(losses)).to.deep.equal(['response_format dropped']);
    });

    it('a schema becomes a line if no call can be forced, with JSON mode if available', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output }),
        createProfile({ schema: false, forcedTool: false }),
      );
      expect(request.output).to.deep.equal({ type: 'json' });
      expect(JSON.stringify(request.turns[0])).to.include('JSON Schema');
      const thinking = createRequest({ output, reasoning: { effort: 'high' } });
      const without = runFit(
        jsonOutputFit,
        thinking,
        createProfile({ schema: false, json: false, forcedTool: 'not-with-thinking' }),
      );
      expect(without.request).to.deep.include({ output: undefined, tools: [] });
    });

    it('a schema that is not that of an object becomes a line', () => {
      const list: OutputFormat = { type: 'schema', schema: { type: 'array', items: {} } };
      expect(runFit(jsonOutputFit, createRequest({ output: list }), noSchema).request.tools).to.deep.equal([]);
    });
  });

  describe('if structured output and tools exclude each other', () => {
    const exclusive = createProfile({ jsonWithTools: false }, { wire: 'generate-content' });

    it('a schema without tools is unchanged if structured output and tools exclude each other', () => {
      expect(runFit(jsonOutputFit, createRequest({ output }), exclusive).fitted).to.equal(undefined);
      expect(runFit(jsonOutputFit, createRequest({ output: { type: 'json' } }), exclusive).fitted).to.equal(undefined);
    });

    it('a schema becomes the hidden tool beside the client’s, and is reversed in the response', () => {
      const { request, losses, fitted } = runFit(jsonOutputFit, createRequest({ output, tools }), exclusive);
      expect(request).to.deep.include({ output: undefined, toolChoice: { mode: 'required' } });
      expect(request.tools.map(({ name }) => name)).to.deep.equal(['find', 'json']);
      expect(fitted?.reply).to.be.a('function');
      expect(losses).to.have.length(1);
      expect(losses[0]).to.deep.include({ field: 'response_format', kind: 'approximated' });
      expect(losses[0]?.detail).to.include('together with tools');
    });

    it('a schema together with tools becomes a line, without JSON mode, if no call can be forced', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools }),
        createProfile({ jsonWithTools: false, forcedTool: false }, { wire: 'generate-content' }),
      );
      expect(request).to.deep.include({ output: undefined, tools });
      expect(JSON.stringify(request.turns[0])).to.include('JSON Schema');
    });

    it('requests JSON by a line instead of JSON mode if structured output and tools exclude each other', () => {
      const { request, losses } = runFit(jsonOutputFit, createRequest({ output: { type: 'json' }, tools }), exclusive);
      expect(request.output).to.equal(undefined);
      expect(request.turns[0]).to.deep.equal(system('Answer with a single JSON object and nothing else.'));
      expect(namesOf(losses)).to.deep.equal(['response_format injected']);
    });
  });

  describe('the response', () => {
    const alone = createRequest({ output });
    const beside = createRequest({ output, tools });

    it('streams the arguments of the hidden tool as text and ends with stop', () => {
      const { out, choice } = answer(alone, createAnswer([{ name: 'json', pieces: ['{"a"', ':1}'] }], 'tool_calls'));
      expect(choice).to.deep.equal({ parts: [{ type: 'text', text: '{"a":1}' }], finish: { reason: 'stop' } });
      expect(out.filter(({ type }) => type === 'part-delta')).to.have.length(2);
    });

    it('keeps the finish reason of a truncated response', () => {
      expect(
        answer(alone, createAnswer([{ name: 'json', pieces: ['{"a"'] }], 'length')).choice?.finish.reason,
      ).to.equal('length');
    });

    it('drops text beside the call of the hidden tool, and a second call', () => {
      const parts = ['Sure:', { name: 'json', pieces: ['{"a":1}'] }, 'Done.', { name: 'json', pieces: ['{"a":2}'] }];
      expect(answer(alone, createAnswer(parts, 'tool_calls')).choice?.parts).to.deep.equal([
        { type: 'text', text: '{"a":1}' },
      ]);
    });

    it('passes on the text of a model that did not call the hidden tool', () => {
      expect(
        answer(alone, createAnswer(['{"a":', '1}'])).choice?.parts.map((part) =>
          part.type === 'text' ? part.text : '',
        ),
      ).to.deep.equal(['{"a":', '1}']);
    });

    it('passes on calls of the client’s tools, with the text before them and their finish reason', () => {
      const { choice } = answer(beside, createAnswer(['Let me see.', { name: 'find', pieces: ['{}'] }], 'tool_calls'));
      expect(choice?.parts.map(({ type }) => type)).to.deep.equal(['text', 'tool-call']);
      expect(choice?.finish.reason).to.equal('tool_calls');
    });

    it('keeps the finish reason of a response that also calls a tool of the client', () => {
      const { choice } = answer(
        beside,
        createAnswer(
          [
            { name: 'find', pieces: ['{}'] },
            { name: 'json', pieces: ['{"a":1}'] },
          ],
          'tool_calls',
        ),
      );
      expect(choice?.parts.map(({ type }) => type)).to.deep.equal(['tool-call', 'text']);
      expect(choice?.finish.reason).to.equal('tool_calls');
    });

    it('json-output handles choices separately', () => {
      const [start, ...first] = createAnswer([{ name: 'json', pieces: ['{"a":1}'] }], 'tool_calls', 0);
      const second = createAnswer([{ name: 'json', pieces: ['{"a":2}'] }], 'tool_calls', 1).slice(1);
      if (start === undefined) throw new Error('sample');
      const { out } = answer(alone, [start, ...first.slice(0, -1), ...second]);
      expect(foldEvents(out).choices.map(({ parts }) => parts)).to.deep.equal([
        [{ type: 'text', text: '{"a":1}' }],
        [{ type: 'text', text: '{"a":2}' }],
      ]);
    });
  });
});
