import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { splitHosts } from './postgres-hosts.ts';

/** Where connections come from: a pool of pg, or several. */
export interface Connections {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}

type Verified = (error?: Error) => void;

/** Refuses a new connection to a server that takes no writes: a standby, or a primary that became one. */
const verifyWritable = (client: PoolClient, done: Verified): void => {
  client.query<{ readonly transaction_read_only: string }>('SHOW transaction_read_only').then(
    ({ rows }) =>
      done(
        rows[0]?.transaction_read_only === 'off'
          ? undefined
          : new Error(`${client.host}:${client.port} takes no writes: it is a standby, or read-only`),
      ),
    (error: Error) => done(error),
  );
};

/**
 * A pool for each of several hosts, of which one is used: the first that takes writes, and from then on the same until a
 * connection to it fails. A former primary that comes back is not used while the new one serves.
 */
class HostPools implements Connections {
  readonly #pools: { readonly create: () => Pool; pool: Pool }[];
  #current = 0;

  constructor(create: readonly (() => Pool)[]) {
    this.#pools = create.map((each) => ({ create: each, pool: each() }));
  }

  async connect(): Promise<PoolClient> {
    const reasons: unknown[] = [];
    const first = this.#current;
    for (let step = 0; step < this.#pools.length; step += 1) {
      const index = (first + step) % this.#pools.length;
      try {
        const client = await this.#pools[index]!.pool.connect();
        this.#use(index);
        return client;
      } catch (error) {
        reasons.push(error);
      }
    }
    throw new AggregateError(reasons, 'No host takes writes');
  }

  /** Connections to the host before are given up: it can have become a standby. */
  #use(index: number): void {
    const before = this.#pools[this.#current];
    if (index === this.#current || before === undefined) return;
    this.#current = index;
    void before.pool.end().catch(() => {});
    before.pool = before.create();
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map(({ pool }) => pool.end()));
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
