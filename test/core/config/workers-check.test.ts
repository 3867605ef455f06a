import { expect } from 'chai';
import type { CheckContext } from '../../../core/config/checks/check.ts';
import { createWorkersCheck } from '../../../core/config/checks/server.ts';
import { canSharePorts } from '../../../core/services/network/shared-ports.ts';

const check = (canShare: boolean, workers: unknown) =>
  createWorkersCheck(canShare)({ data: { server: { workers } } } as CheckContext);

describe('the check of server.workers', () => {
  it('warns about workers where threads cannot share a port, and nowhere else', () => {
    for (const workers of [4, 'auto'])
      expect(check(false, workers).map(({ path, severity }) => [path, severity])).to.deep.equal([
        [['server', 'workers'], 'warning'],
      ]);
    expect(check(false, 1)).to.deep.equal([]);
    expect(check(false, undefined)).to.deep.equal([]);
    expect(check(true, 4)).to.deep.equal([]);
  });

  it('threads share a port on Linux and FreeBSD, but not on macOS or Windows', () => {
    const platforms = ['linux', 'freebsd', 'darwin', 'win32'] as const;
    expect(platforms.map((platform) => canSharePorts(platform))).to.deep.equal([true, true, false, false]);
  });
});
