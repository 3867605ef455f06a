import { expect } from 'chai';
import * as fc from 'fast-check';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { GenerateEvent } from '../../../core/canonical/event.ts';
import type { Part } from '../../../core/canonical/part.ts';
import type { GenerateRequest, Turn } from '../../../core/canonical/request.ts';
import type { Tool } from '../../../core/canonical/tool.ts';
import type { Capabilities } from '../../../core/contracts/capabilities.ts';
import type { TargetProfile } from '../../../core/contracts/codec-context.ts';
import type { Fit } from '../../../core/contracts/fit.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { applyFits, composeFilters, coreFits, selectFits, type FittedRequest } from '../../../core/fits/index.ts';
import { hasMarks } from '../../../core/fits/cache/cache-marks.ts';
import { unwrapCustomCalls } from '../../../core/fits/tools/custom-tools.ts';
import { createJsonToolReply } from '../../../core/fits/output/json-tool-reply.ts';
import { createStopCutter } from '../../../core/fits/output/stop-cutter.ts';
import { checkGrammar } from './event-grammar.ts';
import { createContext, createProfile, createRequest, filterEvents, user } from './samples.ts';

const wire = fc.constantFrom('chat-completions', 'messages', 'responses', 'generate-content');
const toolName = fc.constantFrom('find', 'json', 'files.read:v2', 'files_read_v2', 'patch');
const callId = fc.constantFrom('c1', 'c2', 'c1_2', 'c1_3', 'c3');
const proof = fc.record({
  origin: fc.constantFrom(undefined, { provider: 'there', family: 'family-1' }, { provider: 'elsewhere', family: 'x' }),
  value: fc.constant('blob'),
});
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const lifetime = fc.constantFrom('5m' as const, '30m' as const, '1h' as const, '12h' as const);
const cache = optional(lifetime.map((ttl) => ({ ttl })));
const textPart: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('text' as const),
  text: fc.constantFrom('a', '', 'as json'),
  cache,
});
const callPart: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('tool-call' as const),
  id: callId,
  name: toolName,
  kind: fc.constantFrom('function' as const, 'custom' as const),
  input: fc.constant('{}'),
  proof: optional(proof),
});
const reasoningPart: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('reasoning' as const),
  text: fc.constant('hm'),
  proof: optional(proof),
  redacted: fc.boolean(),
});
const resultPart: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('tool-result' as const),
  id: callId,
  failed: fc.boolean(),
  parts: fc.array(textPart, { maxLength: 2 }),
});

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.array(textPart, { minLength: 1, maxLength: 2 }).map((parts): Turn => ({ role: 'system', parts })),
  fc
    .array(fc.oneof(textPart, resultPart), { minLength: 1, maxLength: 3 })
    .map((parts): Turn => ({ role: 'user', parts })),
  fc
    .array(fc.oneof(textPart, callPart, reasoningPart), { minLength: 1, maxLength: 4 })
    .map((parts): Turn => ({ role: 'assistant', parts })),
);
const tool: fc.Arbitrary<Tool> = fc.record({
  name: toolName,
  kind: fc.constantFrom('function' as const, 'custom' as const),
  cache,
});

const request: fc.Arbitrary<GenerateRequest> = fc
  .record({
    wire,
    turns: fc
      .array(turn, { maxLength: 7 })
      .chain((turns) => fc.nat({ max: turns.length }).map((at) => turns.toSpliced(at, 0, user('hello')))),
    tools: fc.uniqueArray(tool, { maxLength: 3, selector: ({ name }) => name }),
    toolChoice: optional(
      fc.record({
        mode: fc.constantFrom('auto' as const, 'none' as const, 'required' as const),
        only: optional(fc.uniqueArray(toolName, { minLength: 1, maxLength: 2 })),
      }),
    ),
    parallelTools: optional(fc.boolean()),
    output: optional(
      fc.constantFrom(
        { type: 'json' as const },
        { type: 'schema' as const, schema: { type: 'object' } },
        { type: 'schema' as const, schema: { type: 'array' } },
      ),
    ),
    maxTokens: optional(fc.constantFrom(1, 500, 1_024, 1_100, 4_000, 100_000)),
    temperature: optional(fc.constantFrom(0, 1, 1.7)),
    topP: optional(fc.constantFrom(0.5, 1)),
    topK: optional(fc.constant(4)),
    stop: optional(fc.constant(['END'])),
    logprobs: optional(fc.constantFrom(0, 2)),
    reasoning: optional(
      fc.record({
        effort: optional(fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra')),
        budget: optional(fc.constantFrom(0, 100, 1_024, 3_000, 50_000)),
        show: optional(fc.boolean()),
      }),
    ),
  })
  .map((members) => createRequest(members));

const no = optional(fc.constant(false as const));
const capabilities: fc.Arbitrary<Capabilities> = fc.record({
  efforts: optional(fc.constantFrom([], ['low', 'high'], ['none', 'minimal', 'medium'], ['medium', 'max'])),
  thinking: optional(fc.constantFrom('none' as const, 'budget' as const, 'adaptive' as const)),
  thinkingOff: optional(fc.boolean()),
  sampling: no,
  maxTemperature: optional(fc.constant(1)),
  temperatureWithTopP: no,
  stop: no,
  logprobs: no,
  json: no,
  schema: no,
  prefill: no,
  forcedTool: optional(fc.constantFrom(false as const, true as const, 'not-with-thinking' as const)),
  customTools: no,
  toolName: optional(fc.constant(/^[a-zA-Z0-9_-]{1,64}$/)),
  midSystem: no,
  maxOutput: optional(fc.constantFrom(1_000, 8_192, 64_000)),
  cacheMarks: optional(fc.constantFrom(['5m', '1h'] as const, ['30m', '12h'] as const, ['5m'] as const)),
  jsonWithTools: no,
  minBudget: optional(fc.constantFrom(0, 128, 2_048)),
  maxBudget: optional(fc.constantFrom(8_000, 32_768)),
});
const profile: fc.Arbitrary<TargetProfile> = fc
  .tuple(capabilities, wire, optional(lifetime))
  .map(([known, spoken, promptCache]) => createProfile(known, omitUndefined({ wire: spoken, promptCache })));

const bend = (fits: readonly Fit[], asked: GenerateRequest, target: TargetProfile): FittedRequest => {
  const fitted = applyFits(selectFits(fits, target), asked, target, createContext());
  if (fitted instanceof Promise) throw new Error('a promise without a reason');
  return fitted;
};

/** An answer whose parts may interleave, with calls of all the names in use; some break off. */
const answer = (names: readonly string[]): fc.Arbitrary<readonly GenerateEvent[]> =>
  fc
    .record({
      parts: fc.array(
        fc.record({
          call: optional(fc.constantFrom(...names)),
          pieces: fc.array(fc.constantFrom('{"input"', ':"x"}', 'hi'), { maxLength: 3 }),
        }),
        { maxLength: 4 },
      ),
      order: fc.array(fc.nat({ max: 3 }), { maxLength: 20 }),
      breaks: fc.boolean(),
      choice: fc.nat({ max: 1 }),
    })
    .map(({ parts, order, breaks, choice }) => {
      const queues = parts.map(({ call, pieces }, part): GenerateEvent[] => [
        call === undefined
          ? { type: 'part-start', choice, part, kind: 'text' }
          : {
              type: 'part-start',
              choice,
              part,
              kind: 'tool-call',
              call: { id: `c${part}`, name: call, kind: 'function' },
            },
        ...pieces.map((text): GenerateEvent => ({ type: 'part-delta', choice, part, text })),
        { type: 'part-end', choice, part },
      ]);
      const mixed = order.flatMap((index) => queues[index]?.shift() ?? []);
      const tail: readonly GenerateEvent[] = breaks
        ? [{ type: 'error', error: new GatewayError('upstream_reset') }]
        : [
            ...queues.flat(),
            { type: 'choice-end', choice, finish: { reason: 'tool_calls' } },
            { type: 'response-end' },
          ];
      return [{ type: 'response-start' }, ...mixed, ...tail];
    });

const names = ['find', 'json', 'files_read_v2', 'patch', 'other'];

describe('the laws of the core fits', () => {
  it('the core fits change nothing in a fitted request', () => {
    fc.assert(
      fc.property(request, profile, (asked, target) => {
        const once = bend(coreFits, asked, target);
        const twice = bend(coreFits, once.request, target);
        expect(twice.request).to.deep.equal(once.request);
      }),
      { numRuns: 1_500 },
    );
  });

  it('the core fits do not modify the given request', () => {
    fc.assert(
      fc.property(request, profile, (asked, target) => {
        const before = structuredClone(asked);
        bend(coreFits, asked, target);
        expect(asked).to.deep.equal(before);
      }),
      { numRuns: 500 },
    );
  });

  it('the core fits report every change, except names that are restored', () => {
    fc.assert(
      fc.property(request, profile, (asked, target) => {
        const losses: unknown[] = [];
        const silent = new Set(['tool-names', 'custom-tools', 'reasoning', 'strict-output']);
        // A choice among no tools is no choice.
        const isIdle = (name: string): boolean =>
          name === 'forced-tool' && asked.tools.length === 0 && asked.toolChoice?.mode !== 'required';
        for (const fit of selectFits(coreFits, target)) {
          const named = losses.length;
          const fitted = fit.fit(asked, target, { ...createContext(), lose: (...loss) => losses.push(loss) });
          const isSilent =
            silent.has(fit.name) || isIdle(fit.name) || (fit.name === 'prompt-cache' && !hasMarks(asked));
          if (fitted !== undefined && !isSilent) expect(losses.length, fit.name).to.be.greaterThan(named);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('the core fits leave one result for each call, directly after it, and use each id once', () => {
    fc.assert(
      fc.property(request, profile, (asked, target) => {
        const { turns } = bend(coreFits, asked, target).request;
        const ids = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])));
        expect(new Set(ids).size).to.equal(ids.length);
        for (const [index, { role, parts }] of turns.entries()) {
          const open = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])));
          if (role !== 'assistant' || index === turns.length - 1) continue;
          for (const next of turns.slice(index + 1)) {
            if (next.role === 'assistant' || open.size === 0) break;
            const answered = next.parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : []));
            expect(answered, 'someone spoke before the results').not.to.deep.equal([]);
            for (const id of answered) expect(open.delete(id), `a result without its call: ${id}`).to.equal(true);
          }
          expect([...open]).to.deep.equal([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('the core fits leave a client of another wire either an effort or a budget, and a budget below the cap', () => {
    fc.assert(
      fc.property(request, profile, (asked, target) => {
        fc.pre(asked.wire !== target.wire);
        const { reasoning, maxTokens } = bend(coreFits, asked, target).request;
        expect(reasoning?.effort === undefined || reasoning.budget === undefined).to.equal(true);
        if (target.capabilities.thinking !== undefined && maxTokens !== undefined && reasoning?.budget !== undefined)
          expect(reasoning.budget).to.be.lessThan(maxTokens);
      }),
      { numRuns: 500 },
    );
  });

  it('the filters of the core fits preserve the event grammar together', () => {
    fc.assert(
      fc.property(request, profile, answer(names), (asked, target, events) => {
        const filter = composeFilters(bend(coreFits, asked, target).replies);
        expect(checkGrammar(filter === undefined ? events : filterEvents(filter, events))).to.deep.equal([]);
      }),
      { numRuns: 800 },
    );
  });

  it('each buffering filter of the core fits preserves the event grammar', () => {
    fc.assert(
      fc.property(answer(names), (events) => {
        expect(checkGrammar(events)).to.deep.equal([]);
        expect(checkGrammar(filterEvents(unwrapCustomCalls(new Set(['patch', 'find'])), events))).to.deep.equal([]);
        expect(checkGrammar(filterEvents(createJsonToolReply('json'), events))).to.deep.equal([]);
        expect(checkGrammar(filterEvents(createStopCutter(['a', '{"']), events))).to.deep.equal([]);
      }),
      { numRuns: 800 },
    );
  });
});
