import type { JsonObject } from '../../core/api/index.ts';
import { sensitiveText, type SensitiveKind } from '../../core/api/internal.ts';
import { bucketSchemas, type BucketSettings } from '../../providers/identity/aws/bucket.ts';
import { duration, list, size } from '../shared/settings.ts';

export interface FilesOptions {
  readonly path: string;
  readonly keep: string;
  readonly size: string;
  readonly fileSize: string;
}

export interface OtlpOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly timeout: string;
}

export interface S3Options extends BucketSettings {
  readonly every: string;
}

/** The plugin's `config` after validation, with defaults. */
export interface PromptLogOptions {
  readonly keys: readonly string[];
  readonly routes: readonly string[];
  readonly models: readonly string[];
  readonly share: number;
  readonly redact: readonly SensitiveKind[];
  readonly maxResponse: string;
  readonly memory: string;
  readonly encryptionKey: string;
  readonly oldKeys: readonly string[];
  readonly files?: FilesOptions;
  readonly otlp?: OtlpOptions;
  readonly s3?: S3Options;
}

const files: JsonObject = {
  description: 'Files of one hour and a limited size, encrypted line by line. Default: none.',
  type: 'object',
  additionalProperties: false,
  required: ['path'],
  properties: {
    path: { description: 'A folder, relative to gateway.yaml.', type: 'string', minLength: 1, examples: ['./prompts'] },
    keep: duration('How long files are kept.', '7d'),
    size: size('Most bytes of all files, of every process. Above it, the oldest are removed.', '1gb'),
    fileSize: size('Most bytes of one file. Then the next one is begun.', '64mb'),
  } satisfies Record<keyof FilesOptions, JsonObject>,
};

const otlp: JsonObject = {
  description: 'Log records for an OpenTelemetry collector. Encrypted if encryptionKey is set. Default: none.',
  type: 'object',
  additionalProperties: false,
  properties: {
    endpoint: {
      description: 'URL of the collector: OTLP logs over HTTP (JSON).',
      type: 'string',
      pattern: '^https?://',
      default: 'http://127.0.0.1:4318/v1/logs',
      examples: ['https://otel.internal/v1/logs'],
    },
    headers: {
      description: 'Headers of the calls to the collector.',
      type: 'object',
      additionalProperties: { type: 'string', writeOnly: true },
      default: {},
      examples: [{ authorization: 'Bearer ${OTEL_TOKEN}' }],
    },
    service: { description: 'service.name of the resource.', type: 'string', minLength: 1, default: 'koine' },
    timeout: duration('Timeout of one export.', '10s'),
  } satisfies Record<keyof OtlpOptions, JsonObject>,
};

const s3: JsonObject = {
  description: 'Objects in a bucket of Amazon S3 or a compatible service, encrypted line by line. Default: none.',
  type: 'object',
  additionalProperties: false,
  required: ['bucket', 'region'],
  properties: {
    ...bucketSchemas('koine/prompts'),
    every: duration('How long records are gathered for an object. A megabyte is written at once.', '1m'),
  } satisfies Record<keyof S3Options, JsonObject>,
};

const secret = { type: 'string', writeOnly: true };

export const schema: JsonObject = {
  type: 'object',
  description: 'Logs the text of requests and responses, redacted, to encrypted files, a bucket or a collector.',
  additionalProperties: false,
  properties: {
    keys: list('Keys as organization/project/key; * stands for any characters. Empty: all.', ['acme/web/*']),
    routes: list('Paths of routes; * stands for any characters. Empty: all.', ['/v1/messages']),
    models: list('Models by their ids in models; * stands for any characters. Empty: all.', ['openai/*']),
    share: { description: 'Share of the requests that is logged.', type: 'number', minimum: 0, maximum: 1, default: 1 },
    redact: {
      description: 'What is replaced by [redacted], by the detectors of the content filter.',
      type: 'array',
      items: { enum: Object.keys(sensitiveText) },
      default: ['api-keys', 'private-keys', 'signed-tokens'],
    },
    maxResponse: size('Of a longer response, the beginning is logged.', '1mb'),
    memory: size('Most bytes of requests and responses that wait to be written. Further ones are dropped.', '16mb'),
    encryptionKey: {
      description: 'The key of AES-256-GCM: 32 bytes in base64, as "openssl rand -base64 32" writes them.',
      ...secret,
      default: '',
      examples: ['${PROMPT_LOG_KEY}'],
    },
    oldKeys: { description: 'Earlier keys, for reading.', type: 'array', items: secret, default: [] },
    files,
    otlp,
    s3,
  } satisfies Record<keyof PromptLogOptions, JsonObject>,
};
