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

    it('becomes a line at the end of the system prompt where there is none', () => {
      const { request, losses } = runFit(jsonOutputFit, json, createProfile({ json: false }));
      expect(request.output).to.equal(undefined);
      expect(request.turns).to.deep.equal([
        system('s'),
        system('Answer with a single JSON object and nothing else.'),
        user('a'),
      ]);
      expect(namesOf(losses)).to.deep.equal(['response_format injected']);
    });

    it('is helped to the word that the wire wants, unless someone says it', () => {
      const chat = createProfile({}, { wire: 'chat-completions' });
      const helped = runFit(jsonOutputFit, json, chat);
      expect(helped.request.output).to.deep.equal({ type: 'json' });
      expect(helped.request.turns).to.have.length(3);
      expect(runFit(jsonOutputFit, { ...json, turns: [user('as Json please')] }, chat).fitted).to.equal(undefined);
    });

    it('passes where it is known', () => {
      expect(runFit(jsonOutputFit, json, createProfile()).fitted).to.equal(undefined);
      expect(runFit(jsonOutputFit, json, noSchema).fitted).to.equal(undefined);
    });
  });

  describe('a schema', () => {
    it('passes where schemas are known', () => {
      expect(runFit(jsonOutputFit, createRequest({ output }), createProfile({ json: false })).fitted).to.equal(
        undefined,
      );
    });

    it('becomes one forced tool', () => {
      const { request, losses } = runFit(jsonOutputFit, createRequest({ output }), noSchema);
      expect(request.output).to.equal(undefined);
      expect(request.tools).to.have.length(1);
      expect(request.tools[0]).to.deep.include({ name: 'json', kind: 'function', schema, strict: true });
      expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['json'] });
      expect(request.parallelTools).to.equal(false);
      expect(namesOf(losses)).to.deep.equal(['response_format approximated']);
    });

    it('takes another name where the client has a tool of that one', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools: [{ name: 'json', kind: 'function' }] }),
        noSchema,
      );
      expect(request.tools[1]?.name).not.to.equal('json');
    });

    it('stands beside the client’s tools: something must be called, and a line says what for', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools, toolChoice: { mode: 'auto', only: ['find'] } }),
        noSchema,
      );
      expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['find', 'json'] });
      expect(request.tools.map(({ name }) => name)).to.deep.equal(['find', 'json']);
      expect(request.turns[0]?.role).to.equal('system');
    });

    it('is forced although the client’s tools are declared, when they may not be called', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools, toolChoice: { mode: 'none' } }),
        noSchema,
      );
      expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['json'] });
    });

    it('has no meaning when the client requires a call', () => {
      const { request, losses } = runFit(
        jsonOutputFit,
        createRequest({ output, tools, toolChoice: { mode: 'required' } }),
        noSchema,
      );
      expect(request).to.deep.include({ output: undefined, tools });
      expect(namesOf(losses)).to.deep.equal(['response_format dropped']);
    });

    it('becomes a line where no call can be forced, with JSON mode where there is one', () => {
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

    it('becomes a line when it is not one of an object, which no tool takes', () => {
      const list: OutputFormat = { type: 'schema', schema: { type: 'array', items: {} } };
      expect(runFit(jsonOutputFit, createRequest({ output: list }), noSchema).request.tools).to.deep.equal([]);
    });
  });

  describe('where structured output and tools exclude each other', () => {
    const exclusive = createProfile({ jsonWithTools: false }, { wire: 'generate-content' });

    it('passes without tools', () => {
      expect(runFit(jsonOutputFit, createRequest({ output }), exclusive).fitted).to.equal(undefined);
      expect(runFit(jsonOutputFit, createRequest({ output: { type: 'json' } }), exclusive).fitted).to.equal(undefined);
    });

    it('becomes the hidden tool beside the client’s, and is undone on the answer', () => {
      const { request, losses, fitted } = runFit(jsonOutputFit, createRequest({ output, tools }), exclusive);
      expect(request).to.deep.include({ output: undefined, toolChoice: { mode: 'required' } });
      expect(request.tools.map(({ name }) => name)).to.deep.equal(['find', 'json']);
      expect(fitted?.reply).to.be.a('function');
      expect(losses).to.have.length(1);
      expect(losses[0]).to.deep.include({ field: 'response_format', kind: 'approximated' });
      expect(losses[0]?.detail).to.include('beside tools');
    });

    it('becomes a line, without JSON mode, where no call can be forced', () => {
      const { request } = runFit(
        jsonOutputFit,
        createRequest({ output, tools }),
        createProfile({ jsonWithTools: false, forcedTool: false }, { wire: 'generate-content' }),
      );
      expect(request).to.deep.include({ output: undefined, tools });
      expect(JSON.stringify(request.turns[0])).to.include('JSON Schema');
    });

    it('asks for JSON in words in the place of JSON mode', () => {
      const { request, losses } = runFit(jsonOutputFit, createRequest({ output: { type: 'json' }, tools }), exclusive);
      expect(request.output).to.equal(undefined);
      expect(request.turns[0]).to.deep.equal(system('Answer with a single JSON object and nothing else.'));
      expect(namesOf(losses)).to.deep.equal(['response_format injected']);
    });
  });

  describe('the answer', () => {
    const alone = createRequest({ output });
    const beside = createRequest({ output, tools });

    it('streams the arguments as text and ends with stop', () => {
      const { out, choice } = answer(alone, createAnswer([{ name: 'json', pieces: ['{"a"', ':1}'] }], 'tool_calls'));
      expect(choice).to.deep.equal({ parts: [{ type: 'text', text: '{"a":1}' }], finish: { reason: 'stop' } });
      expect(out.filter(({ type }) => type === 'part-delta')).to.have.length(2);
    });

    it('keeps the finish of an answer that was cut', () => {
      expect(
        answer(alone, createAnswer([{ name: 'json', pieces: ['{"a"'] }], 'length')).choice?.finish.reason,
      ).to.equal('length');
    });

    it('withholds text beside the call, and a second call', () => {
      const parts = ['Sure:', { name: 'json', pieces: ['{"a":1}'] }, 'Done.', { name: 'json', pieces: ['{"a":2}'] }];
      expect(answer(alone, createAnswer(parts, 'tool_calls')).choice?.parts).to.deep.equal([
        { type: 'text', text: '{"a":1}' },
      ]);
    });

    it('gives the text of a model that did not call', () => {
      expect(
        answer(alone, createAnswer(['{"a":', '1}'])).choice?.parts.map((part) =>
          part.type === 'text' ? part.text : '',
        ),
      ).to.deep.equal(['{"a":', '1}']);
    });

    it('lets calls of the client’s tools pass, with the text before them and their finish', () => {
      const { choice } = answer(beside, createAnswer(['Let me see.', { name: 'find', pieces: ['{}'] }], 'tool_calls'));
      expect(choice?.parts.map(({ type }) => type)).to.deep.equal(['text', 'tool-call']);
      expect(choice?.finish.reason).to.equal('tool_calls');
    });

    it('leaves the finish of an answer that calls a tool of the client as well', () => {
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

    it('keeps choices apart', () => {
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
