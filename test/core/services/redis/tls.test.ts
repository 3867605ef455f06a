import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRedis, type RedisConnection } from '../../../../core/services/redis/redis.ts';
import type { RedisConfig } from '../../../../core/services/redis/redis-config.ts';
import { createAuthority, hasOpenssl, type Authority, type Certificate } from '../../../support/certificates.ts';
import { findFreePort, requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { startRedisCluster } from '../../../support/servers/redis-cluster.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const succeeds = (attempt: () => Promise<unknown>): Promise<boolean> =>
  attempt().then(
    () => true,
    () => false,
  );

describe('TLS to Redis', function suite() {
  this.timeout(60_000);
  const folder = createTemporaryFolder();
  let own: Authority;
  let foreign: Authority;
  let client: Certificate;
  let stranger: Certificate;
  let server: RedisServer;
  let url: string;
  const opened: RedisConnection[] = [];
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const open = (config: RedisConfig): RedisConnection => {
    const redis = openRedis(config, log, 2_000);
    opened.push(redis);
    return redis;
  };
  const write = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const tlsOf = ({ cert, key }: Certificate, authority: Authority, port: number): readonly string[] => [
    '--tls-port',
    String(port),
    '--tls-cert-file',
    write(`${port}.pem`, cert),
    '--tls-key-file',
    write(`${port}.key`, key),
    '--tls-ca-cert-file',
    write(`${port}-ca.pem`, authority.ca),
  ];
  const reports = (redis: RedisConnection, text: string): Promise<void> =>
    until(text, () => redis.problem?.includes(text) === true).catch(() => {
      throw new Error(`${text}: ${redis.problem}`);
    });

  before(async function start() {
    requireRedis(this);
    if (!hasOpenssl()) this.skip();
    own = createAuthority(folder.path, 'own');
    foreign = createAuthority(folder.path, 'foreign');
    client = own.issue('gateway');
    stranger = foreign.issue('gateway');
    const port = await findFreePort();
    server = await startRedis(...tlsOf(own.issue('localhost'), own, port));
    url = `rediss://localhost:${port}`;
  });
  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });
  after(async () => {
    await server?.stop();
    folder.remove();
  });

  it('connects with its own authority and a client certificate', async () => {
    const redis = open({ url, tls: { ca: own.ca, ...client } });
    await until('it is connected', () => succeeds(() => redis.ping()));
    expect(await redis.script('koineTest', 'return ARGV[1]')([], ['read'])).to.equal('read');
    expect(redis.problem).to.equal(undefined);
  });

  it('says what is wrong with certificates', async () => {
    await reports(open({ url }), 'its authority is not trusted: set store.redis.tls.ca');
    await reports(open({ url, tls: { ca: foreign.ca, ...client } }), 'set store.redis.tls.ca');
    await reports(
      open({ url: url.replace('localhost', '127.0.0.1'), tls: { ca: own.ca, ...client } }),
      'its certificate is for another name: set store.redis.tls.serverName',
    );
    await reports(open({ url, tls: { ca: own.ca } }), 'it needs a client certificate: store.redis.tls.cert and key');
    await reports(open({ url, tls: { ca: own.ca, ...stranger } }), 'client certificate');
    await reports(open({ url: url.replace('rediss', 'redis') }), 'it may need TLS: write rediss://');
    await reports(open({ url: server.url.replace('redis', 'rediss') }), 'with TLS that the port is the one for TLS');
  });

  it('a certificate that is refused again and again does not end the process', async () => {
    const all = Array.from({ length: 20 }, () =>
      open({ cluster: [url.slice('rediss://'.length)], tls: { ca: foreign.ca } }),
    );
    for (const redis of all) await reports(redis, 'set store.redis.tls.ca');
    await delay(1_500);
    expect(all.every(({ problem }) => problem !== undefined)).to.equal(true);
  });

  it('verifies the name that is configured', async () => {
    const redis = open({
      url: url.replace('localhost', '127.0.0.1'),
      tls: { ca: own.ca, ...client, serverName: 'localhost' },
    });
    await until('it is connected', () => succeeds(() => redis.ping()));
  });

  it('connects to the nodes of a cluster under the names that they announce', async () => {
    const ports: number[] = [];
    const issued = own.issue('localhost');
    const cluster = await startRedisCluster({
      ports,
      cli: [
        '--tls',
        '--sni',
        'localhost',
        '--cacert',
        write('cli-ca.pem', own.ca),
        '--cert',
        write('cli.pem', client.cert),
        '--key',
        write('cli.key', client.key),
      ],
      options: async () => {
        const port = await findFreePort();
        ports.push(port);
        const names = ['--cluster-announce-hostname', 'localhost', '--cluster-preferred-endpoint-type', 'hostname'];
        const replication = ['--tls-cluster', 'yes', '--tls-replication', 'yes'];
        return [...tlsOf(issued, own, port), ...replication, ...names];
      },
    });
    try {
      const redis = open({ cluster: [`localhost:${ports[0]}`], tls: { ca: own.ca, ...client } });
      await until('it is connected', () => succeeds(() => redis.ping()));
      const set = redis.script('koineSet', "return redis.call('INCR', KEYS[1])");
      const results = await Promise.all(Array.from({ length: 30 }, (_, index) => set([`key-${index}`], [])));
      expect(results).to.deep.equal(results.map(() => 1));
      await reports(open({ cluster: [`localhost:${ports[0]}`], tls: { ca: foreign.ca } }), 'set store.redis.tls.ca');
    } finally {
      await cluster.stop();
    }
  });
});
