import { expect } from 'chai';
import { GatewayError, type FailureClass } from '../../../core/api/index.ts';
import { createTestTarget } from '../../../core/testing/index.ts';
import { alice, createFixture, failure, type Fixture } from './setup.ts';

const single = [createTestTarget('one/a')];
const pair = [createTestTarget('one/a'), createTestTarget('two/b')];
const callers = Array.from({ length: 8 }, (_, index) => ({ ...alice, key: `key-${index}` }));

/** Twenty requests a second. */
const EVERY_MS = 50;

/** The same numbers in every run: https://en.wikipedia.org/wiki/Linear_congruential_generator */
const createRandom = (): (() => number) => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

interface Sample {
  readonly atMs: number;
  readonly isAnswered: boolean;
  readonly called: readonly string[];
}
/** Sends requests at a constant rate, without waiting. @param answer the result of a call to the vendor */
const drive = async (
  fixture: Fixture,
  seconds: number,
  answer: (atMs: number) => GatewayError | 'ok',
  many: boolean,
): Promise<readonly Sample[]> => {
  const samples: Sample[] = [];
  for (let index = 0; index < (seconds * 1_000) / EVERY_MS; index += 1) {
    const atMs = index * EVERY_MS;
    fixture.answers = { 'one/a': [() => answer(atMs)] };
    const before = fixture.calls.length;
    const result = await fixture.run({ caller: many ? callers[(index * 5) % 8]! : alice });
    samples.push({ atMs, isAnswered: !GatewayError.is(result), called: fixture.calls.slice(before) });
    fixture.clock.advance(EVERY_MS);
  }
  return samples;
};
const share = (samples: readonly Sample[]): number =>
  samples.filter(({ isAnswered }) => isAnswered).length / samples.length;
const within = (samples: readonly Sample[], fromMs: number, toMs: number): readonly Sample[] =>
  samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
const callsOf = (samples: readonly Sample[]): number => samples.reduce((sum, { called }) => sum + called.length, 0);

const fixture = (targets = single): Fixture => createFixture({ wait: '0s', retries: 0 }, { targets });
const kinds: readonly (readonly [title: string, many: boolean])[] = [
  ['one caller', false],
  ['eight callers', true],
];

for (const [title, many] of kinds) {
  describe(`the only target, for ${title}`, () => {
    for (const retryAfterMs of [undefined, 20_000]) {
      const refusal = failure('rate-limit', retryAfterMs === undefined ? {} : { retryAfterMs });
      const name = retryAfterMs === undefined ? 'without retry-after' : 'with retry-after: 20';

      it(`serves the other calls if the target refuses 5 % of them ${name}`, async () => {
        const random = createRandom();
        expect(share(await drive(fixture(), 60, () => (random() < 0.05 ? refusal : 'ok'), many))).to.be.above(0.92);
      });

      it(`serves the other half if the target refuses half of the calls ${name}`, async () => {
        const random = createRandom();
        expect(share(await drive(fixture(), 60, () => (random() < 0.5 ? refusal : 'ok'), many))).to.be.above(0.42);
      });

      it(`serves nearly four of twenty requests a second if the target allows four ${name}`, async () => {
        let left = 4;
        let second = 0;
        const samples = await drive(
          fixture(),
          60,
          (atMs) => {
            if (Math.floor(atMs / 1_000) > second) [second, left] = [Math.floor(atMs / 1_000), 4];
            return (left -= 1) >= 0 ? 'ok' : refusal;
          },
          many,
        );
        expect(share(samples)).to.be.above(0.12);
      });
    }

    for (const name of [
      'rate-limit',
      'overloaded',
      'transient',
      'timeout',
    ] as const satisfies readonly FailureClass[]) {
      it(`the target gets a few calls a second if every call fails (${name}), and all 2 s after its recovery`, async () => {
        const samples = await drive(fixture(), 30, (atMs) => (atMs < 16_000 ? failure(name) : 'ok'), many);
        expect(callsOf(within(samples, 8_000, 16_000)) / 8, 'calls in a second').to.be.within(0.5, 4);
        expect(
          samples.find(({ atMs, isAnswered }) => atMs >= 16_000 && isAnswered)?.atMs,
          'the first answer',
        ).to.be.below(17_500);
        expect(share(within(samples, 18_500, 30_000))).to.equal(1);
      });
    }
  });

  describe(`the first of two targets, for ${title}`, () => {
    it('the first target goes down without a failed request, and is used again two seconds after its recovery', async () => {
      const samples = await drive(fixture(pair), 30, (atMs) => (atMs < 16_000 ? failure('overloaded') : 'ok'), many);
      expect(share(samples)).to.equal(1);
      const probes = within(samples, 8_000, 16_000).filter(({ called }) => called.length > 1).length;
      expect(probes / 8, 'probes in a second').to.be.within(0.5, 2);
      expect(new Set(within(samples, 18_000, 30_000).flatMap(({ called }) => called))).to.deep.equal(
        new Set(['one/a key-1']),
      );
    });

    it('the first target is not used during its cooldown if it refuses some calls', async () => {
      const random = createRandom();
      const samples = await drive(fixture(pair), 60, () => (random() < 0.05 ? failure('rate-limit') : 'ok'), many);
      expect(share(samples)).to.equal(1);
    });
  });
}
