import { expect } from 'chai';
import { needsRestart } from '../../../core/config/reloadability.ts';

describe('a change', () => {
  for (const path of [['server', 'port'], ['server', 'tls', 'cert'], ['server', 'host'], ['server', 'workers'], ['admin', 'host'], ['admin', 'port'], ['store'], ['store', 'redis']])
    it(`of ${path.join('.')} waits for a restart`, () => expect(needsRestart(path)).to.equal(true));

  for (const path of [['server'], ['server', 'bodyLimit'], ['admin', 'token'], ['admin'], ['models', 'a/b', 'targets', 0], ['providers', 'store'], ['stream', 'openAfter']])
    it(`of ${path.join('.')} is taken up by a reload`, () => expect(needsRestart(path)).to.equal(false));
});
