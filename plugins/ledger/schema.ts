import { DURATION_PATTERN, SIZE_PATTERN, type JsonObject } from '../../core/index.ts';

/** The plugin's `config`, checked and with its defaults filled in. */
export interface LedgerOptions {
  readonly durability: 'batched' | 'strict';
  readonly retention: string;
  readonly usageRetention: string;
  readonly lease: string;
  readonly spool: { readonly path?: string; readonly rows: number; readonly size: string };
}

const duration = (description: string, value: string): JsonObject => ({
  description,
  type: 'string',
  pattern: DURATION_PATTERN,
  default: value,
  examples: [value],
});

export const schema: JsonObject = {
  type: 'object',
  description: 'Keeps a row of every exchange, and what was used by hour, day and month, in store.database.',
  additionalProperties: false,
  properties: {
    durability: {
      description:
        'batched: rows are written 100 ms and two transactions later at most, and wait in a file while the database is down. strict: nothing is sent to a provider before the database has the row; while it is down requests are refused.',
      enum: ['batched', 'strict'],
      default: 'batched',
    },
    retention: duration('How long the rows are kept.', '400d'),
    usageRetention: duration('How long the sums by hour, day and month are kept.', '1830d'),
    lease: duration(
      'When a process has been silent for so long, its open rows are marked as abandoned; 1s to 1h.',
      '15s',
    ),
    spool: {
      description: 'Where rows wait while the database is down.',
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        path: {
          description:
            'Beginning of the names of the files. Relative to the folder of the SQLite database; with Postgres, to that of gateway.yaml. Left out: koine-ledger.spool there.',
          type: 'string',
          minLength: 1,
          examples: ['/var/lib/koine/ledger.spool'],
        },
        rows: {
          description: 'How many rows may wait, of each process. What comes then is lost, and counted.',
          type: 'integer',
          minimum: 1,
          default: 10_000,
        },
        size: {
          description: 'How large the file of a process may become.',
          type: 'string',
          pattern: SIZE_PATTERN,
          default: '16mb',
          examples: ['16mb'],
        },
      },
    },
  } satisfies Record<keyof LedgerOptions, JsonObject>,
};
