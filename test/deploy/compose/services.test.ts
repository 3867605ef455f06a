import { expect } from 'chai';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { root } from '../../../tools/release/lockfile.ts';
import { findFreePort } from '../../../core/server/primary/free-port.ts';
import { send } from '../../support/http.ts';
import { sendRaw } from '../../support/raw.ts';
import { PASSWORD, requirePostgres, startPostgres, type PostgresServer } from '../../support/servers/postgres.ts';
import { requireRedis } from '../../support/servers/redis.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { requireProgram, startGatewayProgram, startProgram, type GatewayProgram, type Program } from '../programs.ts';
import { exampleVariables, readComposeFile } from './compose-file.ts';

const TOKEN = 'b7QvN2xT9sLk4RzWc8HdYp3MfJ6gUa1E';
const REDIS_PASSWORD = '5d41402abc4b2a76b9719d911017c592';
const unset = Object.fromEntries(exampleVariables.map((name) => [name, '']));
const { services } = readComposeFile({
  ...unset,
  KOINE_ADMIN_TOKEN: TOKEN,
  POSTGRES_PASSWORD: PASSWORD,
  REDIS_PASSWORD,
  GRAFANA_PASSWORD: 'unused',
});

/**
 * The services as processes of this machine, with the commands, variables and files of compose.yaml. Only addresses and
 * folders of containers are replaced.
 */
describe('the services of deploy/compose/compose.yaml', () => {
  const folder = createTemporaryFolder();
  let ports: Readonly<Record<'redis' | 'prometheus', number>>;
  let postgres: PostgresServer;
  let redis: Program;
  let prometheus: Program;
  let gateway: GatewayProgram;

  const onThisMachine = (text: string): string =>
    text
      .replaceAll('redis:6379', `127.0.0.1:${ports.redis}`)
      .replaceAll('postgres:5432', `127.0.0.1:${postgres.port}`)
      .replaceAll('gateway:8788', new URL(gateway?.adminUrl ?? 'http://none').host)
      .replaceAll('/tmp/admin-token', join(folder.path, 'admin-token'))
      .replaceAll('/var/lib/koine', folder.path);
  const place = (path: string): string => {
    const copy = join(folder.path, path.replaceAll('/', '-'));
    writeFileSync(copy, onThisMachine(readFileSync(join(root, 'deploy', path), 'utf8')));
    return copy;
  };

  const startRedis = async (): Promise<void> => {
    const { command: [shell = '', option = '', script = ''] = [], environment = {} } = services['redis'] ?? {};
    const local = script.replace('redis-server -', `redis-server --port ${ports.redis} --bind 127.0.0.1 -`);
    expect(local).to.not.equal(script);
    redis = startProgram(shell, [option, local], { env: environment, cwd: folder.path });
    await until('Redis serves', () => redis.output().includes('Ready to accept connections') || redis.isOver());
  };

  const startPrometheus = async (): Promise<void> => {
    const { entrypoint: [shell = '', option = '', script = '', name = ''] = [], environment = {} } =
      services['prometheus'] ?? {};
    const data = join(folder.path, 'prometheus');
    mkdirSync(data);
    writeFileSync(join(folder.path, 'rules.yml'), readFileSync(join(root, 'deploy/prometheus/rules.yml')));
    const config = place('compose/prometheus.yml');
    const text = readFileSync(config, 'utf8');
    // So that the test need not wait for a quarter of a minute.
    writeFileSync(config, text.replaceAll('_interval: 15s', '_interval: 1s'));
    const options = (services['prometheus']?.command ?? []).map((word) =>
      word.replace('/etc/prometheus/prometheus.yml', config).replace(/(?<=path=)\/prometheus$/, data),
    );
    prometheus = startProgram(
      shell,
      [option, onThisMachine(script), name, ...options, `--web.listen-address=127.0.0.1:${ports.prometheus}`],
      { env: environment },
    );
  };

  before(async function () {
    requireRedis(this);
    requirePostgres(this);
    requireProgram(this, 'prometheus', 'apt-get install --no-install-recommends prometheus');
    const free = () => findFreePort({ host: '127.0.0.1', port: 0 });
    ports = { redis: await free(), prometheus: await free() };
    postgres = await startPostgres();
    const { POSTGRES_DB, POSTGRES_USER } = services['postgres']?.environment ?? {};
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`CREATE DATABASE ${POSTGRES_DB} OWNER ${POSTGRES_USER}`);
    await client.end();
    await startRedis();
    const variables = Object.entries(services['gateway']?.environment ?? {});
    const env = Object.fromEntries(variables.map(([name, value]) => [name, onThisMachine(value)]));
    gateway = await startGatewayProgram(place('container/gateway.yaml'), env, '--port=0', '--admin-port=0');
    await startPrometheus();
  });
  after(async () => {
    for (const program of [prometheus, gateway, redis]) program?.signal('SIGINT');
    await Promise.all([prometheus?.exit, gateway?.exit, redis?.exit]);
    await postgres?.stop();
    folder.remove();
  });

  const get = (url: string, path: string) =>
    send(url, { method: 'GET', path, headers: { authorization: `Bearer ${TOKEN}` } });
  const query = async (expression: string): Promise<unknown> => {
    const { text } = await get(
      `http://127.0.0.1:${ports.prometheus}`,
      `/api/v1/query?query=${encodeURIComponent(expression)}`,
    );
    const { data } = JSON.parse(text) as {
      readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
    };
    return data.result.map(({ value: [, value] }) => value);
  };

  it('the gateway is ready, and stores its keys in Postgres', async () => {
    expect((await get(gateway.url, '/readyz')).status).to.equal(200);
    expect(gateway.output()).to.not.match(/"level":"?(?:error|50)/);
    const client = new Client({
      connectionString: onThisMachine(services['gateway']?.environment['DATABASE_URL'] ?? ''),
    });
    await client.connect();
    const { rows } = await client.query<{ readonly count: string }>('SELECT count(*) FROM keys');
    await client.end();
    expect(rows).to.deep.equal([{ count: '1' }]);
  });

  it('Redis serves the gateway, and requires the password, which is not among the arguments of its process', async () => {
    const url = `http://127.0.0.1:${ports.redis}`;
    expect(await sendRaw(url, 'PING\r\n', (text) => text.endsWith('\r\n'))).to.contain('-NOAUTH');
    const client = new Redis(ports.redis, '127.0.0.1', { password: REDIS_PASSWORD });
    const policy = await client.config('GET', 'maxmemory-policy');
    const connections = String(await client.client('LIST'))
      .trim()
      .split('\n');
    client.disconnect();
    expect(policy).to.deep.equal(['maxmemory-policy', 'noeviction']);
    expect(connections.length, 'with that of the gateway').to.be.above(1);
    expect(readFileSync(`/proc/${redis.pid}/cmdline`, 'utf8'))
      .to.contain('redis-server')
      .and.not.contain(REDIS_PASSWORD);
  });

  it('Prometheus scrapes the gateway with the admin token, and evaluates the alerts', async () => {
    const isUp = async (): Promise<boolean> => JSON.stringify(await query('up{job="koine"}')) === '["1"]';
    await until('the gateway is up', () => isUp().catch(() => prometheus.isOver()), 100);
    expect(await query('up{job="koine"}'), prometheus.output()).to.deep.equal(['1']);
    expect(await query('count(koine_build_info)')).to.deep.equal(['1']);
    const { text } = await get(`http://127.0.0.1:${ports.prometheus}`, '/api/v1/rules');
    expect(text).to.contain('"name":"KoineDown"');
  });
});
