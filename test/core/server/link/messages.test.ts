import { expect } from 'chai';
import { isOurs } from '../../../../core/server/link/messages.ts';

describe('a message between processes', () => {
  it("is one of the gateway's if it has the member koine", () => {
    expect(isOurs({ koine: 'stop' })).to.equal(true);
  });
  it("is not one of the gateway's without the member koine", () => {
    for (const message of [undefined, null, 0, 'stop', [], {}, { type: 'stop' }, { cmd: 'NODE_CLUSTER' }])
      expect(isOurs(message), JSON.stringify(message)).to.equal(false);
  });
});
