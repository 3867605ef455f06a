import { expect } from 'chai';
import {
  GatewayError,
  type Draft,
  type Guard,
  type PluginInstance,
  type Rewrite,
  type Services,
} from '../../../core/api/index.ts';
import { compileSchema } from '../../../core/config/validate/validate.ts';
import {
  createTestDraft,
  createTestExchange,
  createTestLog,
  createTestRequest,
  createTestServices,
} from '../../../core/testing/index.ts';
import plugin from '../../../plugins/content-filter/index.ts';
import { compilePattern } from '../../../plugins/content-filter/patterns/search.ts';
import type { ContentFilterOptions } from '../../../plugins/content-filter/schema.ts';

/** Its text can be in the middle of many matches at once. */
const PATTERN = '(?i)project.{1,100}secret';
/** What a character of it costs. */
const { price: PRICE } = compilePattern(PATTERN);
const gap = { name: 'gap', patterns: [PATTERN] };
const SLICE = 500_000;

const hostile = (length: number): string => {
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += `project${' '.repeat((index * index) % 9)}`;
  return text.slice(0, length);
};

/** How long a machine takes is no matter here. */
const stopped = { now: () => 0, monotonic: () => 0 };

const create = async (options: object, services: Partial<Services> = {}): Promise<PluginInstance> => {
  const filled: unknown = structuredClone(options);
  const validate = compileSchema<ContentFilterOptions>(plugin.schema);
  if (!validate(filled)) throw new Error(JSON.stringify(validate.errors));
  return plugin.create(filled, createTestServices({ clock: stopped, ...services }));
};

const draftOf = (text: string, given: Partial<Draft> = {}): Draft =>
  createTestDraft({
    request: createTestRequest({ turns: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
    isRewritten: true,
    ...(given as object),
  });
const textOf = (rewrite: Rewrite | undefined): string | undefined => {
  const part = rewrite?.request !== undefined && 'turns' in rewrite.request && rewrite.request.turns[0]?.parts[0];
  return part !== undefined && part !== false && part.type === 'text' ? part.text : undefined;
};
const caught = async (run: () => unknown): Promise<{ readonly code?: string; readonly message: string }> => {
  try {
    await run();
  } catch (thrown) {
    return thrown as { readonly code?: string; readonly message: string };
  }
  return { message: 'nothing was thrown' };
};
/** Counts the turns of the event loop until `run` has ended. */
const countTurns = async (run: () => unknown): Promise<number> => {
  let turns = 0;
  let isOver = false;
  const next = (): void => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await run();
  isOver = true;
  return turns;
};

describe('the budget of the content filter', () => {
  it('a long text is searched in slices, and the event loop turns in between', async () => {
    const { rewrite } = await create({ rules: [gap] });
    const text = `${hostile(1_500_000)} secret`;
    let result: Rewrite | undefined;
    const turns = await countTurns(async () => (result = await rewrite?.(draftOf(text))));
    expect(turns).to.be.at.least(Math.floor((text.length * PRICE) / SLICE) - 1);
    expect(textOf(result)).to.match(/^project.*\[redacted\]$/);
  });

  it('a detector reads a long text in slices too, and finds what it finds in the whole', async () => {
    const { rewrite } = await create({ rules: [{ name: 'mail', detect: ['emails', 'card-numbers', 'private-keys'] }] });
    const words = Array.from({ length: 60_000 }, (_, index) => (index % 97 === 0 ? 'joe@example.com' : 'all is well,'));
    let result: Rewrite | undefined;
    const turns = await countTurns(async () => (result = await rewrite?.(draftOf(words.join(' ')))));
    expect(turns).to.be.above(3);
    expect(textOf(result)).to.equal(words.join(' ').replaceAll('joe@example.com', '[redacted]'));
  });

  it('a short text is searched at once, without a promise', async () => {
    const { rewrite } = await create({ rules: [gap] });
    expect(rewrite?.(draftOf('The project is no secret.'))).to.not.be.instanceOf(Promise);
    expect(rewrite?.(draftOf(hostile(20_000)))).to.equal(undefined);
  });

  it('long searches take turns, so that their number does not make a turn longer', async () => {
    const { rewrite } = await create({ rules: [gap] });
    const one = await countTurns(() => rewrite?.(draftOf(hostile(500_000))));
    const ten = await countTurns(() =>
      Promise.all(Array.from({ length: 10 }, () => rewrite?.(draftOf(hostile(500_000))))),
    );
    expect(ten).to.be.at.least(9 * (one - 2));
  });

  it('steps count for the key before they are taken, and a refusal there ends the request', async () => {
    const { rewrite } = await create({ rules: [gap] });
    const spent: number[] = [];
    const text = hostile(300_000);
    await rewrite?.(draftOf(text, { work: { spend: (steps) => void spent.push(steps) } }));
    expect(spent[0]).to.equal(text.length * PRICE);
    const refused = await caught(() =>
      rewrite?.(
        draftOf(text, {
          work: {
            spend: () => {
              throw new Error('none are left');
            },
          },
        }),
      ),
    );
    expect(refused.message).to.equal('none are left');
  });

  for (const onBudget of ['refuse', 'pass'] as const) {
    it(`a request beyond the budget is handled by the rule, which is logged and counted (onBudget: ${onBudget})`, async () => {
      const log = createTestLog();
      const counted: string[] = [];
      const metrics = {
        ...createTestServices().metrics,
        counter: (name: string) => ({
          bind: (values: readonly string[]) => () => void counted.push([name, ...values].join(' ')),
        }),
      };
      const rules = [
        { ...gap, onBudget },
        { name: 'mail', detect: ['emails'] },
      ];
      const { rewrite } = await create({ rules, budget: 1_000_000 }, { log, metrics });
      const text = `${hostile(500_000)} joe@example.com secret`;
      const refused = await caught(async () =>
        expect(textOf(await rewrite?.(draftOf(text)))).to.equal(text.replace('joe@example.com', '[redacted]')),
      );
      if (onBudget === 'refuse') {
        expect(refused.code).to.equal('request_too_large');
        expect(refused.message).to.include('rule "gap"').and.to.include('Send a shorter one');
      } else expect(refused.message).to.equal('nothing was thrown');
      expect(counted[0]).to.equal(`koine_content_filter_over_budget_total gap input ${onBudget}`);
      expect(log.lines.map(({ level, fields }) => [level, fields['rule'], fields['on_budget']])).to.deep.equal([
        ['warn', 'gap', onBudget],
      ]);
    });
  }

  it('what is found counts, because it takes memory', async () => {
    const { rewrite } = await create({ rules: [{ name: 'a', patterns: ['a'] }], budget: 2_000_000 });
    expect((await caught(() => rewrite?.(draftOf('b '.repeat(100_000))))).message).to.equal('nothing was thrown');
    expect((await caught(() => rewrite?.(draftOf('a '.repeat(100_000))))).code).to.equal('request_too_large');
  });

  it('characters that have to be normalized count, and are normalized in slices', async () => {
    const { rewrite } = await create({ rules: [gap], budget: 30_000_000 });
    const text = 'ａ'.repeat(100_000);
    expect(await countTurns(() => rewrite?.(draftOf(text)))).to.be.above(15);
    expect((await caught(() => rewrite?.(draftOf(text.repeat(10))))).code).to.equal('request_too_large');
  });

  it('many short texts count as well', async () => {
    const { rewrite } = await create({ rules: [gap], budget: 100_000 });
    const parts = Array.from({ length: 10_000 }, () => ({ type: 'text' as const, text: 'a' }));
    const request = createTestRequest({ turns: [{ role: 'user', parts }] });
    expect((await caught(() => rewrite?.(createTestDraft({ request, isRewritten: true })))).code).to.equal(
      'request_too_large',
    );
  });

  it('the search ends when the client leaves', async () => {
    const { rewrite } = await create({ rules: [gap] });
    const controller = new AbortController();
    const refused = caught(() => rewrite?.(draftOf(hostile(3_000_000), { signal: controller.signal })));
    controller.abort(new GatewayError('client_closed'));
    const turns = await countTurns(() => refused);
    expect((await refused).code).to.equal('client_closed');
    expect(turns).to.be.below(4);
  });

  it('a search that gets too few turns ends as overloaded before the time limit of the hook', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const { rewrite } = await create({ rules: [gap] }, { clock });
    const refused = caught(() => rewrite?.(draftOf(hostile(3_000_000))));
    now = 4_500;
    expect((await refused).code).to.equal('overloaded');
  });

  describe('for responses', () => {
    const guardOf = async (options: object, spend: (steps: number) => void = () => {}): Promise<Guard> => {
      const { guard } = await create(options);
      const given = guard?.(createTestExchange({ work: { spend } }));
      if (given === undefined) throw new Error('there is no guard');
      return given;
    };
    const place = { choice: 0, part: 0, kind: 'text', isEnd: true } as const;

    it('the budget is for each text, and its steps count for the key', async () => {
      const spent: number[] = [];
      const { inspect } = await guardOf({ rules: [gap], budget: 200_000 }, (steps) => void spent.push(steps));
      for (let round = 0; round < 10; round += 1) expect(inspect(hostile(20_000), place)).to.equal('pass');
      expect(spent.reduce((sum, steps) => sum + steps, 0)).to.be.at.least(10 * 20_000 * PRICE);
    });

    it('a text beyond the budget is refused, or passes', async () => {
      const refused = (await guardOf({ rules: [gap], budget: 10_000 })).inspect(hostile(20_000), place);
      expect(refused).to.have.property('refuse').that.includes('rule "gap"');
      const { inspect } = await guardOf({ rules: [{ ...gap, onBudget: 'pass' }], budget: 10_000 });
      expect(inspect(hostile(20_000), place)).to.equal('pass');
    });
  });
});
