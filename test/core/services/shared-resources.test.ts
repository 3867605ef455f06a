import { expect } from 'chai';
import { createSharedResources } from '../../../core/services/shared-resources.ts';

describe('a shared resource', () => {
  const start = () => {
    const { createHolder } = createSharedResources();
    const gone: string[] = [];
    const make = (name: string) =>
      [name, () => ({ name }), ({ name: known }: { name: string }) => void gone.push(known)] as const;
    return { createHolder, gone, make };
  };

  it('a shared resource is the same for every holder, and is disposed of when the last one releases it', async () => {
    const { createHolder, gone, make } = start();
    const [one, other] = [createHolder(), createHolder()];
    expect(one.shared(...make('buckets'))).to.equal(other.shared(...make('buckets')));
    await one.release();
    expect(gone).to.deep.equal([]);
    await other.release();
    expect(gone).to.deep.equal(['buckets']);
    expect(createHolder().shared(...make('buckets'))).to.deep.equal({ name: 'buckets' });
  });

  it('disposes of shared resources when their holder is released, the latest created first', async () => {
    const { createHolder, gone, make } = start();
    const [one, other] = [createHolder(), createHolder()];
    one.shared(...make('first'));
    one.shared(...make('second'));
    one.shared(...make('third'));
    other.shared(...make('second'));
    await one.release();
    expect(gone).to.deep.equal(['third', 'first']);
  });

  it('a shared resource that fails to close does not prevent the disposal of others', async () => {
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
