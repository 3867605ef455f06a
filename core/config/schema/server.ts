import type { JsonObject } from '../../canonical/wire.ts';
import type { GatewayConfig, ServerConfig } from '../gateway-config.ts';
import { optional, section, setting } from './section.ts';

const tls = section(
  'Serve HTTPS. Both files are PEM; relative paths are relative to this file. Left out: HTTP.',
  {
    cert: setting('The certificate, with its chain.', { type: 'string', minLength: 1 }),
    key: setting('The private key.', { type: 'string', minLength: 1 }),
  },
  ['cert', 'key'],
);

const overload = optional(
  section('When each process refuses further requests: with 503, and with 429 where one key has too much of it.', {
    inFlight: setting('So many requests are being answered.', { type: 'integer', minimum: 1, default: 2_000 }),
    lag: setting('The event loop keeps being late by so much.', { $ref: '#/definitions/duration', default: '1s' }),
    bodyBytes: setting(
      'The bodies of requests that are being read or answered have so many bytes together. ' +
        'They take about four times as much memory.',
      { $ref: '#/definitions/size', default: '128mb' },
    ),
    perKey: setting(
      'The share of inFlight and bodyBytes that one key may hold while no other key calls; ' +
        'the more keys call, the less each may hold. 1: no share is kept free for others.',
      { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 0.9 },
    ),
  } satisfies Record<keyof ServerConfig['overload'], JsonObject>),
);

const readOn = optional(
  section('When a client leaves, its call to the provider is read on, so that what it used is known.', {
    time: setting('For so long; then the call is cut, and what it used is estimated. 0s: it is cut at once.', {
      $ref: '#/definitions/duration',
      default: '30s',
    }),
    calls: setting('So many at once in each process; others are cut at once.', {
      type: 'integer',
      minimum: 0,
      default: 512,
    }),
    callsPerKey: setting('So many of them of one key.', { type: 'integer', minimum: 0, default: 64 }),
  } satisfies Record<keyof ServerConfig['readOn'], JsonObject>),
);

const bodyRate = optional(
  section('The slowest that the body of a request may come; then 408.', {
    perSecond: setting('Bytes a second, averaged from the beginning of the body.', {
      $ref: '#/definitions/size',
      default: '1kb',
    }),
    grace: setting('How long a body may come at any rate.', { $ref: '#/definitions/duration', default: '10s' }),
  } satisfies Record<keyof ServerConfig['bodyRate'], JsonObject>),
);

const drain = optional(
  section('How the gateway ends on SIGTERM. /readyz says 503 at once.', {
    delay: setting('How long new connections are still served, while whoever sends them learns of it.', {
      $ref: '#/definitions/duration',
      default: '5s',
    }),
    timeout: setting(
      'How long answers may take after that to end by themselves; ' +
        'those that have not then end with an error in their wire.',
      { $ref: '#/definitions/duration', default: '300s' },
    ),
  } satisfies Record<keyof ServerConfig['drain'], JsonObject>),
);

export const serverSchema = optional(
  section('The listener that clients call.', {
    host: setting('The address to listen on.', { type: 'string', minLength: 1, default: '127.0.0.1' }),
    port: setting('The port to listen on; 0 takes any free one.', { $ref: '#/definitions/port', default: 8787 }),
    workers: setting('Processes that serve the port; auto: one per processor.', {
      anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
      default: 1,
    }),
    bodyLimit: setting('The largest request body that is read, compressed or inflated, e.g. 20mb.', {
      $ref: '#/definitions/size',
      default: '20mb',
    }),
    trustProxy: setting('Addresses and CIDR ranges whose x-forwarded-for is believed.', {
      type: 'array',
      items: { type: 'string' },
      default: [],
    }),
    headersTimeout: setting('How long the head of a request may take to arrive; then 408.', {
      $ref: '#/definitions/duration',
      default: '20s',
    }),
    requestTimeout: setting('How long the whole request, body included, may take to arrive; then 408.', {
      $ref: '#/definitions/duration',
      default: '300s',
    }),
    writeStall: setting(
      'A client that takes nothing for so long of what waits for it is cut, and counts as one that has left.',
      { $ref: '#/definitions/duration', default: '60s' },
    ),
    maxConnections: setting('Connections of clients that each process holds; more are closed as they come.', {
      type: 'integer',
      minimum: 1,
      default: 10_000,
    }),
    connectionsPerAddress: setting(
      'Connections of one client address (an IPv6 network of 64 bits) that each process holds; ' +
        'more are closed as they come. Loopback and trustProxy are not counted.',
      { type: 'integer', minimum: 1, default: 2_500 },
    ),
    bodyRate,
    overload,
    readOn,
    drain,
    watch: setting('Reload the configuration when its files change. SIGHUP and the admin API reload it in any case.', {
      type: 'boolean',
      default: true,
    }),
    tls,
  } satisfies Record<keyof ServerConfig, JsonObject>),
);

export const adminSchema = optional(
  section('The listener for the operator: metrics and health.', {
    host: setting('The address to listen on. Other than loopback it needs a token.', {
      type: 'string',
      minLength: 1,
      default: '127.0.0.1',
    }),
    port: setting('The port to listen on; 0 takes any free one.', { $ref: '#/definitions/port', default: 8788 }),
    token: setting(
      'The bearer token that admin requests must carry. Empty: none is asked for. ' +
        'On another address than loopback it must be random and have at least 32 characters.',
      {
        type: 'string',
      },
    ),
    tls,
  } satisfies Record<keyof GatewayConfig['admin'], JsonObject>),
);

export const storeSchema = optional(
  section('Where keys, usage and limits are kept.', {
    database: setting(
      'sqlite:<path>, a relative one relative to this file; ' +
        'or postgres://user:password@host:5432/database, with ?sslmode=verify-full for TLS.',
      { type: 'string', default: 'sqlite:./data/koine.db' },
    ),
    redis: setting(
      'redis:// or rediss://: limits hold over every gateway that shares it. Empty: they hold on this host.',
      { type: 'string' },
    ),
    redisTimeout: setting(
      'How long a request waits for a silent Redis before onStoreFailure holds for it. ' +
        'Five requests in a row that waited in vain, and none waits until Redis answers again.',
      { $ref: '#/definitions/duration', default: '500ms' },
    ),
  } satisfies Record<keyof GatewayConfig['store'], JsonObject>),
);

export const accessLogSchema = optional(
  section('The line that every exchange leaves in the log.', {
    start: setting('One more line, when an exchange begins.', { type: 'boolean', default: false }),
  } satisfies Record<keyof GatewayConfig['accessLog'], JsonObject>),
);

export const streamSchema = optional(
  section('How streamed answers behave.', {
    openAfter: setting(
      'When no content has come for so long, the answer is opened with the status and keepalives. ' +
        'Failover stays possible until content comes.',
      {
        $ref: '#/definitions/duration',
        default: '4s',
      },
    ),
    keepaliveEvery: setting('How often an open stream that is silent is kept alive.', {
      $ref: '#/definitions/duration',
      default: '15s',
    }),
  } satisfies Record<keyof GatewayConfig['stream'], JsonObject>),
);
