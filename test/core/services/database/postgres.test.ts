import { expect } from 'chai';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { openDatabase, sql, type Database } from '../../../../core/services/database/database.ts';
import { withAdvisoryLock } from '../../../../core/services/database/advisory-lock.ts';
import { authorityFile } from '../../../faults/upstream/certificates.ts';
import { PASSWORD, requirePostgres, startPostgres, type PostgresServer } from '../../../support/servers/postgres.ts';
import { until } from '../../../support/until.ts';

describe('the connections to Postgres', function suite() {
  let server: PostgresServer;
  const opened: Database[] = [];
  before(async function start() {
    requirePostgres(this);
    server = await startPostgres();
  });
  after(() => server?.stop());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.destroy()));
  });
  const open = async (url = server.url, timeoutMs = 1_000): Promise<Database> => {
    const database = await openDatabase(url, { name: 'tried', migrations: [], timeoutMs });
    opened.push(database);
    return database;
  };
  const ask = (database: Database) => sql`SELECT 1 AS one`.execute(database);
  const failureOf = async (asking: Promise<unknown>): Promise<GatewayError> => {
    const error: unknown = await asking.then(
      () => 'nothing was thrown',
      (thrown: unknown) => thrown,
    );
    if (GatewayError.is(error) && error.code === 'KOINE_STORE_FAILED') return error;
    throw new Error(inspect(error));
  };
  /** Repeats the query until it succeeds. */
  const answered = async (database: Database): Promise<void> => {
    for (const deadline = Date.now() + 40_000; ; await delay(20)) {
      try {
        await ask(database);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  };

  it('no statement is compiled', async () => {
    const { rows } = await sql<{ jit: string }>`SHOW jit`.execute(await open());
    expect(rows).to.deep.equal([{ jit: 'off' }]);
  });

  it('connections recover after the server was killed, in any state', async () => {
    const database = await open();
    const resting = Promise.all(Array.from({ length: 4 }, () => ask(database)));
    await resting;
    const transaction = database.transaction().execute(async (each) => {
      await ask(each);
      await server.kill();
      await delay(100);
      await ask(each);
    });
    const waiting = failureOf(sql`SELECT pg_sleep(30)`.execute(database));
    expect((await failureOf(transaction)).message).to.match(/^The database query failed: /);
    await waiting;
    expect((await failureOf(ask(database))).message).to.equal(
      `The database postgres://127.0.0.1:${server.port}/postgres could not be reached: connect ECONNREFUSED 127.0.0.1:${server.port}.`,
    );
    await server.restart();
    await answered(database);
  });

  it('connections recover after the server closed them', async () => {
    const [database, other] = [await open(), await open()];
    await Promise.all(Array.from({ length: 4 }, () => ask(database)));
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'koine'`.execute(
      other,
    );
    await answered(database);
  });

  it('queries time out while the server is silent, and connections recover afterwards', async () => {
    const database = await open();
    server.pause();
    try {
      expect((await failureOf(ask(database))).message).to.equal(
        'The database query failed: the server did not respond within 1500 ms.',
      );
      expect((await failureOf(ask(database))).message).to.match(/could not be reached: .*timeout/i);
    } finally {
      server.resume();
    }
    await answered(database);
  });

  it('reads a result that arrived while the event loop was blocked past the timeout', async () => {
    const database = await open();
    const query = sql`SELECT pg_sleep(0.2)`.execute(database);
    await delay(50);
    await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect((await query).rows).to.have.length(1);
  });

  it('cancels a statement at its timeout, and its connection remains usable', async () => {
    const database = await open(server.url, 200);
    const pid = async () => (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database)).rows[0]?.pid;
    const before = await pid();
    expect((await failureOf(sql`SELECT pg_sleep(30)`.execute(database))).message).to.equal(
      'The database query failed: canceling statement due to statement timeout.',
    );
    expect(await pid()).to.equal(before);
  });

  it('a database opens although its next connection takes longer than a query waits for one', async () => {
    const sockets: Socket[] = [];
    let isBusy = false;
    const proxy = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      if (isBusy) return;
      isBusy = true;
      const upstream = connect(server.port, '127.0.0.1').on('error', () => {});
      sockets.push(upstream);
      socket.pipe(upstream).pipe(socket);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as { readonly port: number };
    try {
      const database = await open(server.url.replace(`:${server.port}/`, `:${port}/`));
      expect((await failureOf(ask(database))).message).to.match(/could not be reached: .*timeout/i);
      isBusy = false;
      await answered(database);
    } finally {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it('opens at most four connections; a query that gets none fails with a message', async () => {
    const database = await open(server.url, 10_000);
    const sleeping = Promise.all(Array.from({ length: 4 }, () => sql`SELECT pg_sleep(4)`.execute(database)));
    await delay(100);
    expect((await failureOf(ask(database))).message).to.match(/could not be reached: .*timeout/i);
    await sleeping;
    await ask(database);
  });

  it('rolls back a transaction whose failure was swallowed', async () => {
    const database = await open();
    const hidden = database.transaction().execute(async (transaction) => {
      await sql`SELECT 1 FROM nowhere`.execute(transaction).catch(() => {});
    });
    expect((await failureOf(hidden)).message).to.equal(
      'The database rolled a transaction back: one of its statements had failed.',
    );
    await ask(database);
  });

  it('runs transactions under one lock name one at a time, across all pools', async () => {
    const databases = [await open(), await open()];
    let inside = 0;
    let most = 0;
    const visit = (database: Database, name: string) =>
      withAdvisoryLock(database, name, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await delay(30);
        inside -= 1;
      });
    await Promise.all(databases.flatMap((database) => [visit(database, 'a'), visit(database, 'a')]));
    expect(most).to.equal(1);
    // Under other names, each stays inside until the other is there too.
    const meet = (database: Database, name: string) =>
      withAdvisoryLock(database, name, () => {
        inside += 1;
        return until('both are inside', () => inside === 2);
      });
    await Promise.all(databases.map((database, index) => meet(database, `b${index}`)));
  });

  it('encrypts connections according to sslmode, and verifies the server’s identity', async () => {
    const encrypted = async (parameters: string): Promise<unknown> => {
      const database = await open(`${server.url}?${parameters}`);
      return (await sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(database))
        .rows[0]?.ssl;
    };
    expect(await encrypted('sslmode=disable')).to.equal(false);
    expect(await encrypted('sslmode=no-verify')).to.equal(true);
    expect(await encrypted(`sslmode=verify-full&sslrootcert=${authorityFile}`)).to.equal(true);
    expect((await failureOf(open(`${server.url}?sslmode=verify-full`))).message).to.match(
      /could not be reached: .*certificate/,
    );
  });

  it('reports why a connection is refused, without the password', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const { port } = plain.address() as { readonly port: number };
    const wrong = `wrong-${PASSWORD}`;
    const urls: readonly (readonly [url: string, reason: RegExp])[] = [
      [server.url.replace(PASSWORD, wrong), /password authentication failed for user "koine"\.$/],
      [
        server.url
          .replace('/postgres', '/nowhere')
          .replace('127.0.0.1', 'localhost')
          .replace('postgres://', 'postgresql://'),
        /^The database postgresql:\/\/localhost:\d+\/nowhere could not be reached: .*database "nowhere" does not exist\.$/,
      ],
      [
        `postgres://koine:${wrong}@127.0.0.1:1/koine?password=${wrong}`,
        /^The database postgres:\/\/127\.0\.0\.1:1\/koine could not be reached: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
      ],
      [`postgres://koine:${wrong}@localhost:1/koine`, /could not be reached: connect ECONNREFUSED/],
      [`postgres://koine:${wrong}@nowhere.invalid/koine`, /could not be reached: .*ENOTFOUND/],
      [`postgres://koine:${wrong}@127.0.0.1:x/koine`, /could not be reached: Invalid URL\.$/],
      [`postgres://koine:${wrong}@127.0.0.1:${port}/koine`, /could not be reached: /],
      [
        `postgres://koine:${wrong}@127.0.0.1:${server.port}/postgres?sslmode=verify-full&sslrootcert=/nowhere.pem`,
        /no such file or directory, open '\/nowhere\.pem'/,
      ],
      [`mysql://koine:${wrong}@db/koine`, /write sqlite:/],
    ];
    for (const [url, reason] of urls) {
      const error = await failureOf(open(url));
      expect(error.message).to.match(reason);
      expect(inspect(error, { depth: 9, showHidden: true }), url).to.not.include(PASSWORD);
    }
    plain.close();
  });

  it('closes the connections with the database', async () => {
    const database = await open();
    await Promise.all(Array.from({ length: 4 }, () => ask(database)));
    const other = await open();
    await database.destroy();
    const count = async () =>
      (
        await sql<{
          count: number;
        }>`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'koine' AND pid <> pg_backend_pid()`.execute(
          other,
        )
      ).rows[0]?.count;
    for (const deadline = Date.now() + 30_000; (await count()) !== 0 && Date.now() < deadline;) await delay(20);
    expect(await count()).to.equal(0);
  });
});
