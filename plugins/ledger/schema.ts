import type { JsonObject } from '../../core/api/index.ts';
import { sinksSchema, type SinksOptions } from './sinks/schema.ts';
import { duration, size } from '../shared/settings.ts';

/** The plugin's `config` after validation, with defaults. */
export interface LedgerOptions {
  readonly durability: 'batched' | 'strict';
  readonly retention: string;
  readonly usageRetention: string;
  readonly lease: string;
  readonly refused: number;
  readonly traceLink?: string;
  readonly spool: { readonly path?: string; readonly size: string; readonly onFull: 'refuse' | 'allow' };
  readonly sinks?: SinksOptions;
}

export const schema: JsonObject = {
  type: 'object',
  description: 'Writes a row of every exchange, and usage by hour, day and month, to store.database.',
  additionalProperties: false,
  properties: {
    durability: {
      description:
        'batched: rows are in a file before their responses end, and in the database within 100 ms and two ' +
        'transactions. strict: a request is sent to a provider only after its row is in the database, and is refused ' +
        'while the database is down.',
      enum: ['batched', 'strict'],
      default: 'batched',
    },
    retention: duration('How long rows are kept; in Postgres up to a month longer, up to 62d two days.', '400d'),
    usageRetention: duration('How long the sums by hour, day and month are kept.', '1830d'),
    lease: duration(
      'After this time without a renewal a process counts as dead, and its open rows become abandoned; 1s to 1h.',
      '15s',
    ),
    refused: {
      description:
        'Rows per second, for each process, of requests that are refused before they are admitted: invalid keys, ' +
        'limits, invalid bodies. A minute of them can come at once; further ones are in the access log only. 0: none.',
      type: 'number',
      minimum: 0,
      maximum: 1_000,
      default: 5,
    },
    traceLink: {
      description:
        'Address of a trace, which the admin API returns with a request: {traceId} stands for its id. Left out: none.',
      type: 'string',
      pattern: '^https?://.*\\{traceId\\}',
      examples: ['https://grafana.internal/explore/trace/{traceId}'],
    },
    spool: {
      description: 'Where rows are until they are in the database.',
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        path: {
          description:
            'Prefix of the names of the files. Relative to the folder of the SQLite database; with Postgres, to that ' +
            'of gateway.yaml. Default: koine-ledger.spool there.',
          type: 'string',
          minLength: 1,
          examples: ['/var/lib/koine/ledger.spool'],
        },
        size: size('Maximum size of all files of the spool, of all processes with this path.', '4gb'),
        onFull: {
          description:
            'When the spool or its disk is full: refuse (503, nothing is sent to a provider), or allow: requests are ' +
            'served, and their rows are lost and counted.',
          enum: ['refuse', 'allow'],
          default: 'refuse',
        },
      },
    },
    sinks: sinksSchema,
  } satisfies Record<keyof LedgerOptions, JsonObject>,
};
