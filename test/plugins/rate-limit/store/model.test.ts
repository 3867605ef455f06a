import { expect } from 'chai';
import * as fc from 'fast-check';
import { request, window } from './charges.ts';
import { describeStores } from './stores.ts';
import { createWindowModel } from './window-model.ts';

const LIMITS = [
  { key: 'a', limit: 20, per: 120 },
  { key: 'b', limit: 100, per: 120 },
  { key: 'c', limit: 150, per: 300 },
];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      amounts: fc.tuple(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(20),
      actual: fc.tuple(fc.nat(15), fc.nat(80), fc.nat(80)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90 }) }) },
);

describeStores('any sequence of reservations and settlements', (use) => {
  it('the store decides as a model that keeps everything does, all or nothing', async function scripts() {
    const play = async (
      steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
    ): Promise<void> => {
      const { store, wall, pass, snapshot, clear } = use();
      await clear();
      const models = LIMITS.map(({ per }) => createWindowModel(per));
      const taken: { readonly id: string; readonly entries: readonly ReturnType<(typeof models)[number]['add']>[] }[] =
        [];
      for (const each of steps) {
        if (each.kind === 'pass') {
          await pass(each.ms);
          continue;
        }
        const before = await snapshot();
        const from = await wall();
        if (each.kind === 'reserve') {
          const made = request(
            LIMITS.map(({ key, limit, per }, index) => window(key, limit, each.amounts[index]!, per)),
          );
          const { admitted } = await store.reserve(made);
          const to = await wall();
          const over = (used: (model: (typeof models)[number]) => number): boolean =>
            LIMITS.some(
              ({ limit }, index) => each.amounts[index]! > 0 && used(models[index]!) + each.amounts[index]! > limit,
            );
          if (over((model) => model.surely(to))) expect(admitted, 'over the limit').to.equal(false);
          if (!over((model) => model.possibly(from))) expect(admitted, 'under the limit').to.equal(true);
          if (admitted)
            taken.push({
              id: made.id,
              entries: models.map((model, index) => model.add(from, to, each.amounts[index]!)),
            });
          // Less may be left: time passes, and keys expire.
          else expect(before, 'after a refusal').to.include.deep.members([...(await snapshot())]);
          continue;
        }
        const [open] = taken.splice(each.which % Math.max(1, taken.length), 1);
        if (open === undefined) continue;
        expect(await store.settle('acme', open.id, each.actual)).not.to.equal(undefined);
        const to = await wall();
        for (const [index, entry] of open.entries.entries()) {
          const actual = each.actual[index]!;
          if (actual < entry.amount) entry.amount = actual;
          else models[index]!.add(from, to, actual - entry.amount);
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), play), {
      numRuns: use().runs,
      endOnFailure: true,
    });
  });

  it('an amount leaves the window at the rate at which it came', async () => {
    const { store, wall, pass } = use();
    const model = createWindowModel(200);
    for (let round = 0; round < 60; round += 1) {
      const from = await wall();
      const { states } = await store.reserve(request([window('steady', 1_000, 10, 200)]));
      const to = await wall();
      model.add(from, to, 10);
      expect(1_000 - states[0]!.remaining).to.be.within(model.surely(to), model.possibly(from));
      await pass(9);
    }
  });

  it('keeps the sum of what was used, however its calls interleave', async () => {
    const amounts = fc.record({
      amounts: fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })),
      actual: fc.tuple(fc.nat(30), fc.nat(30)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(amounts, { minLength: 2, maxLength: 30 }), async (calls) => {
        const { store, clear } = use();
        await clear();
        const used = [0, 0];
        const charges = (first: number, second: number) => [
          window('x', 100, first, 600_000),
          window('y', 150, second, 600_000),
        ];
        const play = async ({ amounts: [first, second], actual }: (typeof calls)[number]): Promise<void> => {
          const made = request(charges(first, second));
          if (!(await store.reserve(made)).admitted) return;
          await store.settle('acme', made.id, [Math.min(first, actual[0]), Math.min(second, actual[1])]);
          used[0]! += Math.min(first, actual[0]);
          used[1]! += Math.min(second, actual[1]);
        };
        await Promise.all(calls.map(play));
        const states = await store.peek('acme', charges(0, 0));
        expect(states.map(({ remaining }) => remaining)).to.deep.equal([100 - used[0]!, 150 - used[1]!]);
      }),
      { numRuns: use().runs },
    );
  });
});
