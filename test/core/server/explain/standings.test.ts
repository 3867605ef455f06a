import { expect } from 'chai';
import type { Target } from '../../../../core/contracts/target.ts';
import { listCredentials, orderTargets, readStandings } from '../../../../core/server/explain/explain.ts';

const endpoint = { wires: [], origin: { provider: 'p', family: 'p' } };
const targetOf = (id: string, credentials: readonly string[]): Target => ({
  id,
  provider: 'p',
  model: id,
  endpoint,
  credentials,
});
const targets = [targetOf('none', []), targetOf('one', ['key-1', 'key-2']), targetOf('two', ['key-1'])];
const candidates = [
  { target: 'two', credential: 'key-1', state: 'ready' },
  { target: 'one', credential: 'key-1', state: 'resting', reason: 'circuit open', until: '2026-11-21T07:05:11.201Z' },
];

describe('the standings of an explanation', () => {
  it('takes the candidates of the strategy, in its order', () => {
    expect(readStandings({ candidates })).to.deep.equal(candidates);
    expect(orderTargets(targets, readStandings({ candidates }) ?? []).map(({ id }) => id)).to.deep.equal([
      'two',
      'one',
      'none',
    ]);
  });

  it('ignores an explanation of the strategy without candidates', () => {
    for (const says of [undefined, 'one', {}, { candidates: 'one' }]) expect(readStandings(says)).to.equal(undefined);
    expect(
      readStandings({
        candidates: [{ target: 'one' }, { target: 'one', credential: 'key-1', state: 'asleep' }, null, candidates[0]],
      }),
    ).to.deep.equal([candidates[0]]);
  });

  it('lists all credentials in the explanation if there is no strategy', () => {
    expect(listCredentials({ targets })).to.deep.equal([
      { target: 'one', credential: 'key-1', state: 'ready' },
      { target: 'one', credential: 'key-2', state: 'ready' },
      { target: 'two', credential: 'key-1', state: 'ready' },
    ]);
  });
});
