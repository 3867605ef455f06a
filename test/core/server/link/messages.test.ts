import { expect } from 'chai';
import { isOurs } from '../../../../core/server/link/messages.ts';

describe('a message between processes', () => {
  it("a message with the member koine is one of the gateway's", () => {
    expect(isOurs({ koine: 'stop' })).to.equal(true);
  });
  it("a message without the member koine is not one of the gateway's", () => {
    for (const message of [undefined, null, 0, 'stop', [], {}, { type: 'stop' }, { cmd: 'NODE_CLUSTER' }])
      expect(isOurs(message), JSON.stringify(message)).to.equal(false);
  });
});
