import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase, sql, type Database } from '../../../../core/services/database/database.ts';
import { nameServer } from '../../../../core/services/database/failure.ts';
import { pingPostgres } from '../../../../core/services/database/postgres.ts';
import { splitHosts } from '../../../../core/services/database/postgres-hosts.ts';
import { findFreePort } from '../../../../core/server/primary/free-port.ts';
import { createAuthority, hasOpenssl } from '../../../support/certificates.ts';
import {
  PASSWORD,
  requirePostgres,
  startPostgres,
  startStandby,
  type PostgresServer,
} from '../../../support/servers/postgres.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

describe('a Postgres URL with several hosts', function suite() {
  this.timeout(90_000);
  const opened: Database[] = [];
  const servers: PostgresServer[] = [];
  const open = async (url: string): Promise<Database> => {
    const database = await openDatabase(url, { name: 'tried', migrations: [], timeoutMs: 3_000 });
    opened.push(database);
    return database;
  };
  const urlOf = (hosts: readonly PostgresServer[], parameters = '?target_session_attrs=read-write'): string =>
    `postgres://koine:${PASSWORD}@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`;
  /** @returns the port of the server that took a row */
  const write = async (database: Database): Promise<number> => {
    const insert = sql<{ port: string }>`INSERT INTO notes VALUES (1) RETURNING current_setting('port') AS port`;
    return Number((await insert.execute(database)).rows[0]?.port);
  };
  const tell = async ({ url }: PostgresServer, text: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const startPair = async (): Promise<readonly [primary: PostgresServer, standby: PostgresServer]> => {
    const primary = await startPostgres();
    servers.push(primary);
    await tell(primary, 'CREATE TABLE notes (number INT)');
    const standby = await startStandby(primary);
    servers.push(standby);
    return [primary, standby];
  };
  const writesTo = async (database: Database, port: number): Promise<void> =>
    until(`a row at port ${port}`, async () => (await write(database).catch(() => 0)) === port, 50);

  before(function check() {
    requirePostgres(this);
  });
  afterEach(async () => {
    for (const server of servers) server.resume();
    await Promise.all(opened.splice(0).map((database) => database.destroy()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it('is split into a URL for each host, and named without its secrets', () => {
    const url = 'postgres://koine:w%40rd@one:5432,[::1]:6432,three/db?sslmode=require&target_session_attrs=primary';
    expect(splitHosts(url)).to.deep.equal({
      urls: ['one:5432', '[::1]:6432', 'three'].map((host) => `postgres://koine:w%40rd@${host}/db?sslmode=require`),
      hosts: 'one:5432,[::1]:6432,three',
      target: 'primary',
    });
    expect(nameServer(url)).to.equal('postgres://one:5432,[::1]:6432,three/db');
  });

  it('connects to the host that takes writes, wherever it is in the list', async () => {
    const [primary, standby] = await startPair();
    for (const hosts of [
      [primary, standby],
      [standby, primary],
    ])
      for (const parameters of ['?target_session_attrs=read-write', ''])
        expect(await write(await open(urlOf(hosts, parameters)))).to.equal(primary.port);
    await pingPostgres(urlOf([standby, primary]));
    expect(await pingPostgres(standby.url).catch(String)).to.include('takes no writes: it is a standby, or read-only');
  });

  it('finds the new primary after the old one was killed, and stays with it', async () => {
    const [primary, standby] = await startPair();
    const database = await open(urlOf([primary, standby]));
    expect(await Promise.all([1, 2, 3].map(() => write(database)))).to.deep.equal([1, 2, 3].map(() => primary.port));
    await primary.kill();
    const failure = await write(database).then(String, String);
    expect(failure).to.match(/KOINE_STORE_FAILED|database/);
    const refused = await write(database).then(String, String);
    expect(refused).to.include('ECONNREFUSED').and.to.include('takes no writes: it is a standby, or read-only');
    expect(refused).to.not.include(PASSWORD);
    await tell(standby, 'SELECT pg_promote()');
    await writesTo(database, standby.port);
    // A former primary that comes back takes writes as well.
    await primary.restart();
    expect(await Promise.all([1, 2, 3, 4].map(() => write(database)))).to.deep.equal(
      [1, 2, 3, 4].map(() => standby.port),
    );
  });

  it('finds the new primary after the old one was frozen', async () => {
    const [primary, standby] = await startPair();
    const database = await open(urlOf([primary, standby]));
    expect(await write(database)).to.equal(primary.port);
    primary.pause();
    await tell(standby, 'SELECT pg_promote()');
    await writesTo(database, standby.port);
    primary.resume();
    expect(await write(database)).to.equal(standby.port);
  });

  it('leaves a host that takes no writes any more, although it responds', async () => {
    const [primary, standby] = await startPair();
    const database = await open(urlOf([primary, standby]));
    expect(await write(database)).to.equal(primary.port);
    await tell(primary, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await tell(primary, 'SELECT pg_reload_conf()');
    await tell(standby, 'SELECT pg_promote()');
    await writesTo(database, standby.port);
  });

  it('uses sslrootcert, sslcert and sslkey', async function tls() {
    if (!hasOpenssl()) this.skip();
    const folder = createTemporaryFolder();
    try {
      const authority = createAuthority(folder.path);
      const files = { 'server.crt': authority.issue('localhost'), 'client.crt': authority.issue('koine') };
      const path = (name: string): string => join(folder.path, name);
      for (const [name, { cert, key }] of Object.entries(files)) {
        writeFileSync(path(name), cert, { mode: 0o644 });
        writeFileSync(path(name.replace('crt', 'key')), key, { mode: 0o600 });
      }
      const [primary, standby] = await startPair();
      for (const server of [primary, standby]) await server.secure(path(''));
      const own = `sslmode=verify-full&sslrootcert=${path('ca.pem')}`;
      const hosts = [standby, primary].map(({ port }) => `localhost:${port}`).join(',');
      const url = (parameters: string): string => `postgres://koine:${PASSWORD}@${hosts}/postgres?${parameters}`;
      const certified = `${own}&sslcert=${path('client.crt')}&sslkey=${path('client.key')}`;
      expect(await write(await open(url(certified)))).to.equal(primary.port);
      const reasonOf = (parameters: string): Promise<string> => open(url(parameters)).then(() => 'opened', String);
      expect(await reasonOf(own)).to.match(/client certificate/);
      expect(await reasonOf('sslmode=verify-full')).to.match(/certificate/);
    } finally {
      folder.remove();
    }
  });

  it('an unreachable host in front costs no failed start', async () => {
    const primary = await startPostgres();
    servers.push(primary);
    await tell(primary, 'CREATE TABLE notes (number INT)');
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    expect(await write(await open(urlOf([{ ...primary, port }, primary])))).to.equal(primary.port);
  });
});
