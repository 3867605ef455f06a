import { expect } from 'chai';
import { omitUndefined } from '../../../../core/api/codec.ts';
import type { GenerateEvent } from '../../../../core/canonical/event.ts';
import type { EventFilter } from '../../../../core/contracts/codec.ts';
import { defineFit, type Fit } from '../../../../core/contracts/fit.ts';
import { applyFits, composeFilters, coreFits, selectFits } from '../../../../core/fits/index.ts';
import { assistant, createContext, createProfile, createRequest, filterEvents, system, user } from '../samples.ts';

/** Appends a letter to every delta. */
const mark = (letter: string) => (): EventFilter => ({
  push: (event, emit) => emit(event.type === 'part-delta' ? { ...event, text: event.text + letter } : event),
});
const count = (name: string, reply?: () => EventFilter): Fit =>
  defineFit({
    name,
    fit: (request) =>
      omitUndefined({
        request: { ...request, topK: (request.topK ?? 0) + 1 },
        reply,
      }),
  });
const late = (name: string): Fit =>
  defineFit({ name, fit: async (request) => ({ request: { ...request, topK: (request.topK ?? 0) * 10 } }) });
const idle = defineFit({ name: 'idle', fit: () => undefined });

const request = createRequest();
const profile = createProfile();
const delta: GenerateEvent = { type: 'part-delta', choice: 0, part: 0, text: '' };

describe('applyFits', () => {
  it('applyFits returns the same request, and no promise, if no fit changes it', () => {
    const fitted = applyFits([idle, idle], request, profile, createContext());
    expect(fitted).not.to.be.instanceOf(Promise);
    expect(fitted).to.deep.equal({ request, replies: [] });
    expect(fitted instanceof Promise ? undefined : fitted.request).to.equal(request);
  });

  it('applyFits passes each fit the result of the previous one, and collects the filters', () => {
    const reply = mark('a');
    const fitted = applyFits([count('one'), idle, count('two', reply)], request, profile, createContext());
    expect(fitted).to.deep.include({ replies: [reply] });
    expect(fitted instanceof Promise ? undefined : fitted.request.topK).to.equal(2);
    const second = mark('b');
    expect(applyFits([count('one', reply), count('two', second)], request, profile, createContext())).to.deep.include({
      replies: [reply, second],
    });
  });

  it('applyFits awaits an asynchronous fit, and preserves the order', async () => {
    const reply = mark('a');
    const fitted = applyFits(
      [count('one', reply), late('two'), count('three', reply), late('four')],
      request,
      profile,
      createContext(),
    );
    expect(fitted).to.be.instanceOf(Promise);
    expect((await fitted).request.topK).to.equal(110);
    expect((await fitted).replies).to.have.length(2);
  });

  it('applyFits throws the error of a fit synchronously', () => {
    const broken = defineFit({
      name: 'broken',
      fit: () => {
        throw new Error('no');
      },
    });
    expect(() => applyFits([broken], request, profile, createContext())).to.throw('no');
  });
});

describe('selectFits', () => {
  it('selectFits selects the fits that can apply, in order', () => {
    const never = defineFit({ name: 'never', applies: () => false, fit: () => undefined });
    const always = defineFit({ name: 'always', applies: () => true, fit: () => undefined });
    expect(selectFits([never, idle, always], profile)).to.deep.equal([idle, always]);
  });
});

describe('composeFilters', () => {
  it('composeFilters returns undefined if nothing has to be reversed', () => {
    expect(composeFilters([])).to.equal(undefined);
  });

  it('composeFilters reverses the last fit first', () => {
    const filter = composeFilters([mark('1'), mark('2'), mark('3')]);
    expect(filter === undefined ? [] : filterEvents(filter, [delta])).to.deep.equal([{ ...delta, text: '321' }]);
    const one = composeFilters([mark('1')]);
    expect(one === undefined ? [] : filterEvents(one, [delta])).to.deep.equal([{ ...delta, text: '1' }]);
  });

  it('composeFilters creates every filter again for each response', () => {
    let created = 0;
    const reply = () => {
      created += 1;
      return mark('x')();
    };
    composeFilters([reply, reply]);
    composeFilters([reply, reply]);
    expect(created).to.equal(4);
  });
});

describe('the core fits', () => {
  it('the core fits have unique names', () => {
    expect(new Set(coreFits.map(({ name }) => name)).size).to.equal(coreFits.length);
  });

  it('the core fits do not change an ordinary request for an unknown target', () => {
    const ordinary = createRequest({
      turns: [system('s'), user('a'), assistant('b'), user('c')],
      tools: [{ name: 'find', kind: 'function' }],
      toolChoice: { mode: 'auto' },
      temperature: 0.5,
      reasoning: { effort: 'high' },
    });
    const chat = createProfile({}, { wire: 'chat-completions' });
    const fitted = applyFits(selectFits(coreFits, chat), ordinary, chat, createContext());
    expect(fitted instanceof Promise ? undefined : fitted.request).to.equal(ordinary);
  });

  it('the core fits run in order: the cap before thinking, and thinking before sampling, choice and the hidden tool', () => {
    const asked = createRequest({
      reasoning: { effort: 'high' },
      temperature: 0.5,
      output: { type: 'schema', schema: { type: 'object', properties: {} } },
    });
    const known = createProfile({
      thinking: 'budget',
      maxOutput: 64_000,
      forcedTool: 'not-with-thinking',
      schema: false,
      json: false,
      maxTemperature: 1,
    });
    const fitted = applyFits(selectFits(coreFits, known), asked, known, createContext());
    const bent = fitted instanceof Promise ? undefined : fitted.request;
    expect(bent).to.deep.include({
      maxTokens: 64_000,
      reasoning: { budget: 38_400 },
      temperature: undefined,
      output: undefined,
      tools: [],
    });
    expect(bent?.turns[0]?.role).to.equal('system');
  });
});
