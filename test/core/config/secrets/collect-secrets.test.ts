import { expect } from 'chai';
import { collectSecrets } from '../../../../core/config/secrets/collect-secrets.ts';

const keyless = { models: [], disabled: false };
const plugin = (config: unknown) => ({ use: 'any', config, timeout: 1, onError: 'fail' }) as const;
const provider = (config: unknown) => ({
  use: 'any',
  config,
  fetchMedia: { enabled: false, allow: [] },
  allowMetadata: [],
  refuseMembers: [],
  acceptMembers: [],
  timeouts: { connect: 1, firstByte: 1, idle: 1, total: 1 },
});

describe('collectSecrets', () => {
  it('finds the admin token, keys, passwords of stores, and secrets in the settings of extensions', () => {
    const found = collectSecrets({
      admin: {
        host: '127.0.0.1',
        port: 0,
        token: 'admin-token',
        auditRetention: 0,
        oidc: {
          issuer: 'https://login.example.com',
          clientId: 'koine',
          clientSecret: 'oidc-client-secret',
          scopes: [],
          nameClaim: 'email',
          rolesClaim: 'groups',
          roles: {},
          sessionTime: 0,
          groupsUrl: 'https://graph.example',
          signOut: 'gateway',
        },
      },
      alerts: {
        webhook: { url: 'https://hooks/?key=webhook-query', secret: 'webhook-secret', timeout: 1, perHour: 1 },
        email: {
          host: 'smtp',
          port: 25,
          encryption: 'tls',
          user: 'koine',
          password: 'mail-password',
          from: 'a@b',
          to: [],
          timeout: 1,
          perHour: 1,
        },
      },
      attribution: { user: 'hash', secret: 'attribution-secret' },
      store: {
        database: 'postgres://koine:db%2Fpassword@db/koine',
        redis: { url: 'rediss://:redis-pass1@redis' },
        redisTimeout: 1,
      },
      organizations: {
        acme: {
          limits: [],
          projects: {
            web: {
              limits: [],
              keys: { alice: { key: 'client-key', ...keyless }, bob: { sha256: 'a'.repeat(64), ...keyless } },
            },
          },
        },
      },
      providers: {
        one: provider({
          apiKey: 'provider-key',
          headers: { 'authorization': 'Bearer provider-token', 'x-title': 'a title' },
          baseUrl: 'https://host/v1',
        }),
      },
      plugins: [
        plugin({ webhook: { url: 'https://hooks/?token=in-the-query', secret: 'hook-secret' } }),
        plugin({ groupKey: 'organization' }),
      ],
    });
    expect(found).to.include.members([
      'admin-token',
      'oidc-client-secret',
      'attribution-secret',
      'client-key',
      'db%2Fpassword',
      'db/password',
      'redis-pass1',
      'provider-key',
      'provider-token',
      'in-the-query',
      'hook-secret',
    ]);
    expect(found)
      .to.not.include.members(['a title'])
      .and.to.not.include('organization')
      .and.to.not.include('a'.repeat(64))
      .and.to.not.include('https://host/v1');
  });
});
