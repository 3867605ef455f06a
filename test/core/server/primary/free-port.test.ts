import { expect } from 'chai';
import { createServer, type AddressInfo } from 'node:net';
import { findFreePort } from '../../../../core/server/primary/free-port.ts';
import { rejectionOf } from '../link/linked.ts';

const host = '127.0.0.1';

describe('findFreePort', () => {
  it('a free port can be bound afterwards', async () => {
    const port = await findFreePort({ host, port: 0 });
    expect(port).to.be.greaterThan(0);
    expect(await findFreePort({ host, port })).to.equal(port);
  });
  it('rejects a port that is in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    const error = await rejectionOf(findFreePort({ host, port }));
    server.close();
    expect(error)
      .to.include({ code: 'KOINE_LISTEN_FAILED' })
      .and.to.have.property('message')
      .that.match(new RegExp(`^127\\.0\\.0\\.1:${port} cannot be bound: .*EADDRINUSE`));
  });
});
