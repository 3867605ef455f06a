import { expect } from 'chai';
import { closeAll } from '../../../core/extensions/close.ts';

describe('closeAll', () => {
  it('closes resources one after the other, the last opened first', async () => {
    const order: string[] = [];
    const closable = (name: string, ms: number) => ({
      name,
      close: async () => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        order.push(name);
      },
    });
    await closeAll([closable('first', 1), closable('second', 10), closable('third', 5)]);
    expect(order).to.deep.equal(['third', 'second', 'first']);
  });

  it('never throws, and returns the resources that failed to close', async () => {
    const closed: string[] = [];
    const failures = await closeAll(
      [
        { name: 'good', close: () => closed.push('good') },
        {
          name: 'throws',
          close: () => {
            throw new Error('at once');
          },
        },
        { name: 'rejects', close: () => Promise.reject(new Error('later')) },
        { name: 'hangs', close: () => new Promise(() => undefined) },
      ],
      20,
    );
    expect(closed).to.deep.equal(['good']);
    expect(failures.map(({ name, error }) => `${name}: ${String(error)}`)).to.deep.equal([
      'hangs: Error: hangs was not closed after 20 ms.',
      'rejects: Error: later',
      'throws: Error: at once',
    ]);
  });
});
