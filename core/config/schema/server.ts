import type { JsonObject } from '../../canonical/wire.ts';
import type { GatewayConfig, ServerConfig } from '../gateway-config.ts';
import type { RedisConfig } from '../../services/redis/redis-config.ts';
import { clientTls } from './client-tls.ts';
import { overload } from './overload.ts';
import { optional, section, setting } from './section.ts';

export const tlsSchema = section(
  'Serve HTTPS. Both files are PEM, and relative paths are relative to this file. Files that are replaced are read ' +
    'again. Default: HTTP.',
  {
    cert: setting('The certificate with its chain.', { type: 'string', minLength: 1 }),
    key: setting('The private key.', { type: 'string', minLength: 1 }),
  },
  ['cert', 'key'],
);

const readOn = optional(
  section('When a client disconnects, its call to the provider is read to the end, so that its usage is known.', {
    time: setting('The longest time to read on. Then the call is aborted and its usage estimated. 0s: abort at once.', {
      $ref: '#/definitions/duration',
      default: '30s',
    }),
    calls: setting(
      'How many such calls the process, with all its workers, reads at once. Others are aborted at once.',
      { type: 'integer', minimum: 0, default: 512 },
    ),
    callsPerKey: setting('How many of them for one key.', { type: 'integer', minimum: 0, default: 64 }),
  } satisfies Record<keyof ServerConfig['readOn'], JsonObject>),
);

const bodyRate = optional(
  section('The minimum rate of a request body. A slower one is answered with 408.', {
    perSecond: setting('Bytes per second, averaged from the start of the body.', {
      $ref: '#/definitions/size',
      default: '1kb',
    }),
    grace: setting('How long a body can arrive at any rate.', { $ref: '#/definitions/duration', default: '10s' }),
  } satisfies Record<keyof ServerConfig['bodyRate'], JsonObject>),
);

const drain = optional(
  section('Graceful shutdown on SIGTERM. /readyz responds with 503 at once.', {
    delay: setting('How long new connections are still served, until load balancers have noticed.', {
      $ref: '#/definitions/duration',
      default: '5s',
    }),
    timeout: setting(
      'How long open responses can take after that to complete. The others then end with an error in their wire.',
      { $ref: '#/definitions/duration', default: '300s' },
    ),
  } satisfies Record<keyof ServerConfig['drain'], JsonObject>),
);

export const serverSchema = optional(
  section('The listener for clients.', {
    host: setting('The address to listen on.', { type: 'string', minLength: 1, default: '127.0.0.1' }),
    port: setting('The port to listen on. 0 selects any free port.', { $ref: '#/definitions/port', default: 8787 }),
    workers: setting('Worker threads that serve the port. auto: one per processor.', {
      anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
      default: 1,
    }),
    bodyLimit: setting('The largest request body, compressed or decompressed, such as 20mb.', {
      $ref: '#/definitions/size',
      default: '20mb',
    }),
    trustProxy: setting('Addresses and CIDR ranges of proxies whose x-forwarded-for is trusted.', {
      type: 'array',
      items: { type: 'string' },
      default: [],
    }),
    headersTimeout: setting('The time within which the headers of a request must arrive; then 408.', {
      $ref: '#/definitions/duration',
      default: '20s',
    }),
    requestTimeout: setting('The time within which the whole request must arrive, including its body; then 408.', {
      $ref: '#/definitions/duration',
      default: '300s',
    }),
    keepAliveTimeout: setting(
      'A client connection without a request is closed after this time, 1s to 1h. It must be longer than the time ' +
        'for which a load balancer or proxy in front keeps its connections: the one that closes first never meets a ' +
        'request under way.',
      { $ref: '#/definitions/duration', default: '72s' },
    ),
    writeStall: setting(
      'A client that reads nothing of its pending response for this long is disconnected, and counts as one ' +
        'that has left.',
      { $ref: '#/definitions/duration', default: '60s' },
    ),
    backgroundTimeout: setting('How long a background response is followed; then its reservation is charged.', {
      $ref: '#/definitions/duration',
      default: '24h',
    }),
    maxConnections: setting(
      'Client connections of the process, with all its workers. Further ones are closed at once.',
      { type: 'integer', minimum: 1, default: 10_000 },
    ),
    maxRequestsPerConnection: setting(
      'A client connection closes after so many requests, so that long-lived connections of a load balancer are ' +
        'spread anew over workers and hosts. Default: no limit.',
      { type: 'integer', minimum: 1 },
    ),
    connectionsPerAddress: setting(
      'Those of them from one client address (an IPv6 /64 network). Further ones are closed at once. ' +
        'Loopback and trustProxy addresses are not counted.',
      { type: 'integer', minimum: 1, default: 2_500 },
    ),
    bodyRate,
    overload,
    readOn,
    drain,
    watch: setting(
      'Reload when a file of the configuration or of an extension changes. SIGHUP and the admin API always reload.',
      { type: 'boolean', default: true },
    ),
    websocket: setting(
      'Serve the wires that have one over WebSocket too: responses. Otherwise an upgrade is refused with 426. Takes ' +
        'effect after a restart.',
      { type: 'boolean', default: false },
    ),
    tls: tlsSchema,
  } satisfies Record<keyof ServerConfig, JsonObject>),
);

const hosts = (description: string, example: string): JsonObject =>
  setting(description, {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    examples: [[example]],
  });
const redisUser = setting('The user of Redis (ACL). Default: that of the URL, or the default user.', {
  type: 'string',
});
const redisPassword = setting('The password of Redis. Default: that of the URL, or none.', {
  type: 'string',
  examples: ['${REDIS_PASSWORD}'],
});
const sentinel = section(
  'A Redis with replicas, whose primary the Sentinels name.',
  {
    hosts: hosts('The Sentinels, as host:port.', 'sentinel-1.internal:26379'),
    name: setting('The name under which the Sentinels monitor the primary.', { type: 'string', minLength: 1 }),
    username: setting('The user of the Sentinels. Default: none.', { type: 'string' }),
    password: setting('The password of the Sentinels. Default: none.', { type: 'string' }),
  } satisfies Record<keyof NonNullable<RedisConfig['sentinel']>, JsonObject>,
  ['hosts', 'name'],
);

const redis = {
  ...section('', {
    url: setting('redis:// or rediss://, of a single Redis.', { type: 'string' }),
    cluster: hosts('Some nodes of a Redis Cluster, as host:port; they name the others.', 'redis-1.internal:6379'),
    sentinel,
    username: redisUser,
    password: redisPassword,
    grants: setting(
      'on: a process that uses a limit often takes a small part of it in advance, and decides without a call to ' +
        'Redis while the part lasts. Never too much is admitted; near the limit, requests can be refused a little ' +
        'early. off (the default): Redis decides about each request.',
      { enum: ['on', 'off'] },
    ),
    tls: clientTls(
      'TLS of the connections to Redis and the Sentinels; {} is that of public servers. Default: none, except with ' +
        'rediss://.',
    ),
  } satisfies Record<keyof RedisConfig, JsonObject>),
  description:
    'A URL, redis:// or rediss://, or a mapping with one of url, cluster and sentinel. With it, limits apply across ' +
    'all gateways that share it. Empty: they apply on this host.',
  type: ['string', 'object'],
};

export const storeSchema = optional(
  section('Storage of keys, usage and limits.', {
    database: setting(
      'sqlite:<path>, relative to this file, or postgres://user:password@host:5432/database, with ' +
        '?sslmode=verify-full for TLS.',
      { type: 'string', default: 'sqlite:./data/koine.db' },
    ),
    redis,
    redisTimeout: setting(
      'How long a request waits for Redis before its onStoreFailure applies. ' +
        'After five timeouts in a row, requests do not wait until Redis responds again.',
      { $ref: '#/definitions/duration', default: '500ms' },
    ),
  } satisfies Record<keyof GatewayConfig['store'], JsonObject>),
);

export const accessLogSchema = optional(
  section('The log line of every exchange.', {
    start: setting('Also log a line when an exchange starts.', { type: 'boolean', default: false }),
  } satisfies Record<keyof GatewayConfig['accessLog'], JsonObject>),
);

export const attributionSchema = optional(
  section('End users of requests: the header x-koine-user, or the member of the body (safety_identifier, user).', {
    user: setting(
      'How end users are recorded in the ledger and the access log, and counted by limits: plain as they are named, ' +
        'hash as a digest with the secret, ignore not at all.',
      { enum: ['plain', 'hash', 'ignore'], default: 'plain' },
    ),
    secret: setting(
      'The key of the digests (HMAC-SHA256) for user: hash. Without the secret, names cannot be guessed from the ' +
        'digests. A new secret makes every user a new one. Default: none, and hash needs one.',
      { type: 'string', minLength: 16, examples: ['${ATTRIBUTION_SECRET}'] },
    ),
  } satisfies Record<keyof GatewayConfig['attribution'], JsonObject>),
);

export const streamSchema = optional(
  section('Behaviour of streamed responses.', {
    openAfter: setting(
      'After this time without content, the response is opened with its status and keepalives. ' +
        'Failover remains possible until there is content.',
      {
        $ref: '#/definitions/duration',
        default: '4s',
      },
    ),
    keepaliveEvery: setting('The interval of keepalives in an open stream without content.', {
      $ref: '#/definitions/duration',
      default: '15s',
    }),
  } satisfies Record<keyof GatewayConfig['stream'], JsonObject>),
);
