import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { splitHosts } from './postgres-hosts.ts';

/** Where connections come from: a pool of pg, or several. */
export interface Connections {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}

type Verified = (error?: Error) => void;

const refusalOf = ({ host, port }: PoolClient, isReadOnly: boolean): Error | undefined =>
  isReadOnly ? new Error(`${host}:${port} takes no writes: it is a standby, or read-only`) : undefined;

/** Refuses a new connection to a server that takes no writes: a standby, or a primary that became one. */
const verifyWritable = (client: PoolClient, done: Verified): void => {
  client.query<{ readonly transaction_read_only: string }>('SHOW transaction_read_only', (error, result) =>
    done(error ?? refusalOf(client, result.rows[0]?.transaction_read_only === 'on')),
  );
};

interface HostPool {
  readonly create: () => Pool;
  pool: Pool;
}

/**
 * A pool for each of several hosts, of which one is used: the first that takes writes, and then the same until a
 * connection to it fails. A former primary that comes back is not used while the new one serves.
 */
class HostPools implements Connections {
  readonly #hosts: readonly HostPool[];
  #current = 0;

  constructor(create: readonly (() => Pool)[]) {
    this.#hosts = create.map((each) => ({ create: each, pool: each() }));
  }

  async connect(): Promise<PoolClient> {
    const reasons: unknown[] = [];
    for (const host of [...this.#hosts.slice(this.#current), ...this.#hosts.slice(0, this.#current)])
      try {
        const client = await host.pool.connect();
        this.#use(host);
        return client;
      } catch (error) {
        reasons.push(error);
      }
    throw new AggregateError(reasons, 'No host takes writes');
  }

  /** Connections to the host before are given up: it can have become a standby. */
  #use(host: HostPool): void {
    const before = this.#hosts[this.#current];
    if (host === before || before === undefined) return;
    this.#current = this.#hosts.indexOf(host);
    void before.pool.end().catch(() => {});
    before.pool = before.create();
  }

  async end(): Promise<void> {
    await Promise.all(this.#hosts.map(({ pool }) => pool.end()));
  }
}

/**
 * Opens the pool of a URL; of one with several hosts, connections are to the first that takes writes.
 * @param url as `splitHosts` reads it. `target_session_attrs=any`: to the first that responds
 */
export function openPools(url: string, options: PoolConfig, prepare: (pool: Pool) => void): Connections {
  const { urls, target } = splitHosts(url);
  const writable = target === undefined ? urls.length > 1 : target !== 'any';
  const create = urls.map((connectionString) => (): Pool => {
    const pool = new Pool({ ...options, connectionString, ...(writable ? { verify: verifyWritable } : {}) });
    prepare(pool);
    return pool;
  });
  const [only] = create;
  return create.length === 1 && only !== undefined ? only() : new HostPools(create);
}
