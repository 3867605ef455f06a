import { expect } from 'chai';
import type { GatewayConfig } from '../../../../core/config/gateway-config.ts';
import type { LoadedConfig } from '../../../../core/config/load.ts';
import { describePath } from '../../../../core/config/describe-path.ts';
import { keepRestartRequired } from '../../../../core/server/reload/restart-required.ts';

const live = {
  server: { host: '127.0.0.1', port: 8787, bodyLimit: 10, tls: { cert: 'a', key: 'b' } },
  admin: { host: '0.0.0.0', port: 8788, token: 'Zp4w8Q2nV7xK1mB6tR9yL3cH5jD0fG7s' },
  store: { database: 'sqlite:a', redisTimeout: 100 },
  limits: [],
} as never as GatewayConfig;

describe('keepRestartRequired', () => {
  const apply = (change: object) => {
    const { loaded, restartRequired } = keepRestartRequired(
      { hash: 'next', config: { ...live, ...change }, certificates: {} } as LoadedConfig,
      { config: live, certificates: {} },
    );
    return { config: loaded.config, hash: loaded.hash, restartRequired: restartRequired.map(describePath) };
  };

  it('keeps the running value of settings that require a restart, and of no others', () => {
    const { config, hash, restartRequired } = apply({
      server: { host: '::1', port: 8787, bodyLimit: 20 },
      store: { database: 'sqlite:b', redis: 'redis://there', redisTimeout: 100 },
      limits: [1],
    });
    expect(hash).to.equal('next');
    expect(config.server).to.deep.equal({ host: '127.0.0.1', port: 8787, bodyLimit: 20, tls: { cert: 'a', key: 'b' } });
    expect(config.store).to.deep.equal(live.store);
    expect(config.limits).to.deep.equal([1]);
    expect(restartRequired).to.deep.equal(['server.host', 'server.tls', 'store.database', 'store.redis']);
  });

  it('lists no setting if none that requires a restart has changed', () => {
    const { config, restartRequired } = apply({
      admin: { host: '0.0.0.0', port: 8788, token: 'M0aX9sW3eD7cR5fV1tG8bY6hN2uJ4mKi' },
    });
    expect([config.admin.token, restartRequired]).to.deep.equal(['M0aX9sW3eD7cR5fV1tG8bY6hN2uJ4mKi', []]);
  });

  it('keeps the token of an admin listener that stays on a public address', () => {
    const { config, restartRequired } = apply({ admin: { host: '127.0.0.1', port: 8788 } });
    expect(config.admin).to.deep.equal(live.admin);
    expect(restartRequired).to.deep.equal(['admin.host', 'admin.token']);
  });

  it('rejects a weak token for an admin listener that stays on a public address', () => {
    const { config, restartRequired } = apply({ admin: { host: '127.0.0.1', port: 8788, token: 'secret' } });
    expect(config.admin).to.deep.equal(live.admin);
    expect(restartRequired).to.deep.equal(['admin.host', 'admin.token']);
  });
});
