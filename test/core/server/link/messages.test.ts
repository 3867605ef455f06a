import { expect } from 'chai';
import { isOurs } from '../../../../core/server/link/messages.ts';

describe('a message between processes', () => {
  it('is ours when it bears our mark', () => {
    expect(isOurs({ koine: 'stop' })).to.equal(true);
  });
  it('is not ours when it does not, whatever it is', () => {
    for (const message of [undefined, null, 0, 'stop', [], {}, { type: 'stop' }, { cmd: 'NODE_CLUSTER' }])
      expect(isOurs(message), JSON.stringify(message)).to.equal(false);
  });
});
