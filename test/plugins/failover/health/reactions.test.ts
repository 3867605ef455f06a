import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { reactions } from '../../../../plugins/failover/health/reactions.ts';
import type { FailureClass } from '../../../../core/api/index.ts';
import { createFixture, failure } from '../setup.ts';

const [a1, a2, b1] = ['one/a key-1', 'one/a key-2', 'two/b key-1'];

/** The calls after the first credential of the first target has failed, if the next one succeeds. */
const traces: Readonly<Record<FailureClass, readonly (string | undefined)[]>> = {
  'transient': [a1, a1, b1],
  'overloaded': [a1, a1, b1],
  'timeout': [a1, b1],
  'rate-limit': [a1, a2],
  'quota': [a1, a2],
  'credential': [a1, a2],
  'model-access': [a1, a2],
  'region': [a1, a2],
  'model-gone': [a1, b1],
  'unsuitable': [a1, b1],
  'unknown': [a1, b1],
  'caller-fault': [a1],
};
/** The first call of the next request. */
const afterwards: Readonly<Record<FailureClass, string | undefined>> = {
  'transient': a1,
  'overloaded': a1,
  'timeout': a1,
  'unsuitable': a1,
  'unknown': a1,
  'caller-fault': a1,
  'rate-limit': a2,
  'quota': a2,
  'credential': a2,
  'model-access': a2,
  'region': a2,
  'model-gone': a2,
};

describe('the reaction to a failure', () => {
  for (const name of Object.keys(reactions) as FailureClass[]) {
    it(`tries the next credential or target as the class ${name} requires`, async () => {
      const fixture = createFixture();
      fixture.answers = { 'one/a key-1': [failure(name)] };
      expect(await fixture.trace()).to.deep.equal(traces[name]);
      fixture.answers = {};
      expect((await fixture.trace())[0]).to.equal(afterwards[name]);
    });
  }

  it('docs/operate/failover.md lists the reaction to every class of failure', () => {
    const page = readFileSync(new URL('../../../../docs/operate/failover.md', import.meta.url), 'utf8');
    const listed = Array.from(
      page.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
      ([, name = '', again = '', next = '']) => [
        name,
        again.startsWith('after') ? 'first' : again.startsWith('when') ? 'last' : 'never',
        next.startsWith('another') ? 'credential' : next.startsWith('other') ? 'target' : 'nothing',
      ],
    );
    expect(listed.sort()).to.deep.equal(
      Object.entries(reactions)
        .map(([name, { again, next }]) => [name, again, next])
        .sort(),
    );
  });

  for (const name of ['credential', 'model-access'] as const) {
    it(`opens the circuit at the first failure of the class ${name}, and reports it`, async () => {
      const fixture = createFixture();
      fixture.answers = { 'one/a key-1': [failure(name)] };
      await fixture.run();
      expect(
        fixture.transitions.map(({ provider, model, credential, to, reason }) => [
          provider,
          model,
          credential,
          to,
          reason,
        ]),
      ).to.deep.equal([['one', name === 'credential' ? '*' : 'a', 'key-1', 'open', name]]);
    });
  }

  it('failover ignores a refusal by the gateway itself', async () => {
    const fixture = createFixture({ circuit: { calls: 1 } });
    fixture.answers = {
      'one/a key-1': [failure('rate-limit')].map(() =>
        Object.assign(failure('rate-limit'), { code: 'rate_limit_exceeded' }),
      ),
    };
    await fixture.run();
    expect([fixture.cooldowns, fixture.transitions]).to.deep.equal([[], []]);
  });
});
