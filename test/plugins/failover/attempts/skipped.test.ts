import { expect } from 'chai';
import { createTestTarget } from '../../../../core/testing/index.ts';
import { createFixture, failure } from '../setup.ts';

const pair = [createTestTarget('one/a'), createTestTarget('two/b')];

describe('the targets that an attempt has skipped', () => {
  it('are recorded with the reason, and an attempt at the first candidate has none', async () => {
    const fixture = createFixture({ retries: 0, routing: 'order', circuit: { consecutive: 1 } }, { targets: pair });
    fixture.answers = { 'one/a': [failure('transient')] };
    expect(await fixture.trace()).to.deep.equal(['one/a key-1', 'two/b key-1']);
    // The second attempt follows the first one, which is recorded by itself.
    expect(fixture.details.map((details) => details?.skipped)).to.deep.equal([undefined, undefined]);
    expect(await fixture.trace()).to.deep.equal(['two/b key-1']);
    const [skipped, ...others] = fixture.details.at(-1)?.skipped ?? [];
    expect(skipped).to.include({ target: 'one/a', credential: 'key-1' });
    expect(skipped?.reason).to.match(/circuit is open \(transient\)/);
    expect(others).to.deep.equal([]);
  });

  it('have a reason also where a failure of another credential rules them out', async () => {
    const targets = [createTestTarget('one/a', { credentials: ['key-1', 'key-2'] }), createTestTarget('two/b')];
    const fixture = createFixture({ retries: 0, routing: 'order' }, { targets });
    fixture.answers = { 'one/a': [failure('model-gone')] };
    const calls = await fixture.trace();
    expect(calls).to.have.length(2);
    expect(calls[1]).to.equal('two/b key-1');
    expect(fixture.details.at(-1)?.skipped?.map(({ target, reason }) => [target, reason])).to.deep.equal([
      ['one/a', 'another call to this target has failed'],
    ]);
  });
});
