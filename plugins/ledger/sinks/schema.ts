import { readDuration, type JsonObject, type OptionFinding } from '../../../core/api/index.ts';
import { bucketSchemas, type BucketSettings } from '../../../providers/identity/aws/bucket.ts';
import { checkAws } from '../../../providers/identity/aws/settings.ts';
import { duration } from '../../shared/settings.ts';

/** When and how many rows are shipped. */
interface Pace {
  readonly every: string;
  readonly rows: number;
  readonly history: boolean;
}

/** Paths of PEM files, relative to the folder of `gateway.yaml`. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface ClickHouseOptions extends Pace {
  readonly url: string;
  readonly database: string;
  readonly table: string;
  readonly username: string;
  readonly password: string;
  readonly tls?: TlsFiles;
}

export interface KafkaOptions extends Pace {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly tls?: TlsFiles;
  readonly sasl?: {
    readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
    readonly username: string;
    readonly password: string;
  };
}

export interface S3Options extends Pace, BucketSettings {}

/** One of them is set. */
export interface SinkOptions {
  readonly clickhouse?: ClickHouseOptions;
  readonly kafka?: KafkaOptions;
  readonly s3?: S3Options;
}
const kinds = ['clickhouse', 'kafka', 's3'] as const satisfies readonly (keyof SinkOptions)[];

/** Sinks by name. */
export type SinksOptions = Readonly<Record<string, SinkOptions>>;

/** When and how many rows the sink gets. */
export const paceOf = ({ clickhouse, kafka, s3 }: SinkOptions): { everyMs: number; rows: number; history: boolean } => {
  const { every, rows, history } = clickhouse ?? kafka ?? s3 ?? { every: '10s', rows: 1, history: false };
  return { everyMs: readDuration(every), rows, history };
};

const checkTls = (tls: TlsFiles | undefined, path: readonly string[]): readonly OptionFinding[] =>
  tls === undefined || (tls.cert === undefined) === (tls.key === undefined)
    ? []
    : [
        {
          path: [...path, 'tls', tls.cert === undefined ? 'cert' : 'key'],
          message: 'tls.cert and tls.key are set together.',
        },
      ];

function* checkSink(name: string, sink: SinkOptions): Generator<OptionFinding> {
  const path = ['sinks', name];
  const set = kinds.filter((kind) => sink[kind] !== undefined);
  if (set.length !== 1) {
    const found = set.length === 0 ? 'none' : set.join(' and ');
    yield { path, message: `A sink has one kind: ${kinds.join(', ')}. This one has ${found}.` };
  }
  const { clickhouse, kafka, s3 } = sink;
  for (const kind of set)
    if (readDuration(sink[kind]?.every ?? '') < 100)
      yield { path: [...path, kind, 'every'], message: 'Write a duration of at least 100ms.' };
  yield* checkTls(clickhouse?.tls, [...path, 'clickhouse']);
  if (clickhouse?.tls !== undefined && clickhouse.tls.ca === undefined)
    yield {
      path: [...path, 'clickhouse', 'tls', 'ca'],
      message: 'tls of ClickHouse needs ca, a file of certificates.',
    };
  yield* checkTls(kafka?.tls, [...path, 'kafka']);
  for (const finding of checkAws(s3 ?? {})) yield { ...finding, path: [...path, 's3', ...finding.path] };
}

/** Checks what the schema cannot express. */
export const checkSinks = (sinks: SinksOptions = {}): readonly OptionFinding[] =>
  Object.entries(sinks).flatMap(([name, sink]) => [...checkSink(name, sink)]);

const text = (description: string, more: JsonObject = {}): JsonObject => ({ description, type: 'string', ...more });
const named = (description: string, preset: string): JsonObject => ({
  ...text(description),
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  default: preset,
  examples: [preset],
});
const password = { ...text('Its password.'), writeOnly: true };

const pace = (every: string): Readonly<Record<keyof Pace, JsonObject>> => ({
  every: duration('How often rows are shipped. The sink is behind by this time.', every),
  rows: {
    description: 'Most rows of one batch, of about a kilobyte each. They are in memory while they are shipped.',
    type: 'integer',
    minimum: 1,
    maximum: 100_000,
    default: 10_000,
  },
  history: {
    description: 'Whether a new sink also gets the rows that the ledger has already.',
    type: 'boolean',
    default: false,
  },
});

const tls = (description: string): JsonObject => ({
  description,
  type: 'object',
  additionalProperties: false,
  properties: {
    ca: text('PEM file of the authorities that are trusted.', { minLength: 1, examples: ['/etc/koine/ca.pem'] }),
    cert: text('PEM file of the certificate of the gateway. Left out: none.', { minLength: 1 }),
    key: text('PEM file of its private key.', { minLength: 1 }),
  } satisfies Record<keyof TlsFiles, JsonObject>,
});

const clickhouse: JsonObject = {
  description: 'A table of ClickHouse. docs/operate/ledger-sinks.md has the statement that creates it. Left out: none.',
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: text('Address of the HTTP interface.', {
      pattern: '^https?://',
      examples: ['https://clickhouse.internal:8443'],
    }),
    database: named('Database of the table.', 'koine'),
    table: named('Name of the table.', 'ledger'),
    username: text('User, who can insert into the table.', { minLength: 1, default: 'default' }),
    password: { ...password, default: '', examples: ['${CLICKHOUSE_PASSWORD}'] },
    tls: tls('For an https address with an authority of your own. Left out: the usual authorities.'),
    ...pace('10s'),
  } satisfies Record<keyof ClickHouseOptions, JsonObject>,
};

const kafka: JsonObject = {
  description:
    'A topic of Kafka, with a JSON object for each row. Its client is installed beside the gateway. Left out: none.',
  type: 'object',
  additionalProperties: false,
  required: ['brokers', 'topic'],
  properties: {
    brokers: {
      description: 'Some brokers, as host:port. They name the others.',
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^\\S+:[0-9]+$' },
      examples: [['kafka-1.internal:9092', 'kafka-2.internal:9092']],
    },
    topic: text('Name of the topic, which exists already.', {
      pattern: '^[A-Za-z0-9._-]{1,249}$',
      examples: ['koine.ledger'],
    }),
    tls: tls('Connections use TLS. {}: with the usual authorities. Left out: no TLS.'),
    sasl: {
      description: 'How the gateway signs in. Left out: it does not.',
      type: 'object',
      additionalProperties: false,
      required: ['mechanism', 'username', 'password'],
      properties: {
        mechanism: { description: 'The mechanism of SASL.', enum: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] },
        username: text('User, who can write to the topic.', { minLength: 1 }),
        password: { ...password, examples: ['${KAFKA_PASSWORD}'] },
      },
    },
    ...pace('1s'),
  } satisfies Record<keyof KafkaOptions, JsonObject>,
};

const s3: JsonObject = {
  description:
    'Parquet files in a bucket of Amazon S3 or a compatible service, in a folder for each day. Left out: none.',
  type: 'object',
  additionalProperties: false,
  required: ['bucket', 'region'],
  properties: { ...bucketSchemas('koine/ledger'), ...pace('5m') } satisfies Record<keyof S3Options, JsonObject>,
};

export const sinksSchema: JsonObject = {
  description: 'Further places that get each row, by name: docs/operate/ledger-sinks.md. Default: none.',
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9-]{0,62}$' },
  additionalProperties: {
    description: 'A sink of one kind. The name is what the ledger knows it by.',
    type: 'object',
    additionalProperties: false,
    properties: { clickhouse, kafka, s3 } satisfies Record<keyof SinkOptions, JsonObject>,
  },
  examples: [{ archive: { s3: { bucket: 'acme-ledger', region: 'eu-west-1' } } }],
};
