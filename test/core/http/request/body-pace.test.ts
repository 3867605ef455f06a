import { expect } from 'chai';
import { createBodyPace } from '../../../../core/http/request/body-pace.ts';
import { until } from '../../../support/until.ts';

describe('the rate of bodies', () => {
  it('ends only bodies that are slower than the required average after the grace period', async () => {
    const clock = { now: 0 };
    const pace = createBodyPace({ perSecond: 1_000, grace: 10_000 }, () => clock.now, 1);
    const ended: string[] = [];
    const add = (name: string, received: number) => {
      const body = { received, tooSlow: () => void ended.push(name) };
      pace.watch(body);
      return { body, forget: () => pace.forget(body) };
    };
    const slow = add('slow', 9_999);
    const quick = add('quick', 11_000);
    const gone = add('gone', 0);
    gone.forget();
    clock.now = 10_000;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).to.deep.equal([]);

    clock.now = 10_001;
    const late = add('late', 0);
    await until('the slow one is ended', () => ended.length > 0);
    slow.forget();
    expect(new Set(ended)).to.deep.equal(new Set(['slow']));

    clock.now = 20_000;
    await until('what was quick is too slow by now', () => ended.includes('quick'));
    expect(ended).to.not.include('late');
    quick.forget();
    late.forget();
  });
});
