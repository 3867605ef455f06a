import { expect } from 'chai';
import { createKeeper } from '../../../core/services/keep.ts';

describe('what outlives a reload', () => {
  const start = () => {
    const { hold } = createKeeper();
    const gone: string[] = [];
    const make = (name: string) =>
      [name, () => ({ name }), ({ name: known }: { name: string }) => void gone.push(known)] as const;
    return { hold, gone, make };
  };

  it('is the same thing for everyone who holds it, and is disposed of when the last lets go', async () => {
    const { hold, gone, make } = start();
    const [one, other] = [hold(), hold()];
    expect(one.keep(...make('buckets'))).to.equal(other.keep(...make('buckets')));
    await one.release();
    expect(gone).to.deep.equal([]);
    await other.release();
    expect(gone).to.deep.equal(['buckets']);
    expect(hold().keep(...make('buckets'))).to.deep.equal({ name: 'buckets' });
  });

  it('is disposed of with the one that does not want it any more, the last made first', async () => {
    const { hold, gone, make } = start();
    const [one, other] = [hold(), hold()];
    one.keep(...make('first'));
    one.keep(...make('second'));
    one.keep(...make('third'));
    other.keep(...make('second'));
    await one.release();
    expect(gone).to.deep.equal(['third', 'first']);
  });

  it('does not keep the others when one cannot be disposed of', async () => {
    const { hold, gone, make } = start();
    const one = hold();
    one.keep(...make('first'));
    one.keep(
      'broken',
      () => 1,
      () => {
        throw new Error('it is stuck');
      },
    );
    await one.release();
    expect(gone).to.deep.equal(['first']);
  });
});
