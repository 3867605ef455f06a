import type { ClientTls } from '../network/client-tls.ts';

/** `store.redis`: one of `url`, `cluster` and `sentinel`. */
export interface RedisConfig {
  /** `redis://…` or `rediss://…`: a single Redis. */
  readonly url?: string;
  /** Some nodes of a Redis Cluster, as `host:port`. */
  readonly cluster?: readonly string[];
  /** The Sentinels that name the primary. */
  readonly sentinel?: {
    /** As `host:port`. */
    readonly hosts: readonly string[];
    readonly name: string;
    readonly username?: string;
    readonly password?: string;
  };
  readonly username?: string;
  readonly password?: string;
  /** Whether gateways take parts of limits in advance. Absent: off. */
  readonly grants?: 'on' | 'off';
  /** Absent: no TLS, except with `rediss://`. */
  readonly tls?: ClientTls;
}
