import { expect } from 'chai';
import { createSharedResources } from '../../../core/services/shared-resources.ts';

describe('what outlives a reload', () => {
  const start = () => {
    const { createHolder } = createSharedResources();
    const gone: string[] = [];
    const make = (name: string) =>
      [name, () => ({ name }), ({ name: known }: { name: string }) => void gone.push(known)] as const;
    return { createHolder, gone, make };
  };

  it('is the same thing for everyone who holds it, and is disposed of when the last lets go', async () => {
    const { createHolder, gone, make } = start();
    const [one, other] = [createHolder(), createHolder()];
    expect(one.shared(...make('buckets'))).to.equal(other.shared(...make('buckets')));
    await one.release();
    expect(gone).to.deep.equal([]);
    await other.release();
    expect(gone).to.deep.equal(['buckets']);
    expect(createHolder().shared(...make('buckets'))).to.deep.equal({ name: 'buckets' });
  });

  it('is disposed of with the one that does not want it any more, the last made first', async () => {
    const { createHolder, gone, make } = start();
    const [one, other] = [createHolder(), createHolder()];
    one.shared(...make('first'));
    one.shared(...make('second'));
    one.shared(...make('third'));
    other.shared(...make('second'));
    await one.release();
    expect(gone).to.deep.equal(['third', 'first']);
  });

  it('does not keep the others when one cannot be disposed of', async () => {
    const { createHolder, gone, make } = start();
    const one = createHolder();
    one.shared(...make('first'));
    one.shared(
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
