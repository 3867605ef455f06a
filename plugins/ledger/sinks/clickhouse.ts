import { ClickHouseLogLevel, createClient, type ClickHouseClientConfigOptions } from '@clickhouse/client';
import type { LiveServices } from '../../../core/api/index.ts';
import { sinkColumnNames } from './columns.ts';
import type { ClickHouseOptions } from './schema.ts';
import type { Sink } from './sink.ts';
import { readTls } from './tls.ts';

const TIMEOUT_MS = 60_000;

const readSettings = (
  { url, database, username, password, tls }: ClickHouseOptions,
  { folder }: Pick<LiveServices, 'folder'>,
): ClickHouseClientConfigOptions => {
  const { ca, cert, key } = tls === undefined ? {} : readTls(tls, folder);
  return {
    url,
    database,
    username,
    password,
    application: 'koine',
    request_timeout: TIMEOUT_MS,
    compression: { request: true },
    log: { level: ClickHouseLogLevel.OFF },
    ...(ca === undefined ? {} : { tls: cert && key ? { ca_cert: ca, cert, key } : { ca_cert: ca } }),
  };
};

/**
 * Inserts into a table whose engine keeps one row for each id. A column that the table lacks is left out, so that a new
 * version of the gateway writes to the table of an earlier one.
 */
export function openClickHouse(options: ClickHouseOptions, services: LiveServices): Sink {
  const client = createClient(readSettings(options, services));
  const { table } = options;
  return {
    write: async (rows) => {
      await client.insert({
        table,
        values: [...rows],
        format: 'JSONEachRow',
        // The statement ends when the rows are stored, whatever the settings of the user are.
        clickhouse_settings: { input_format_skip_unknown_fields: 1, wait_for_async_insert: 1 },
      });
    },
    check: async () => {
      // Who can insert can read the columns.
      const answer = await client.query({ query: `DESCRIBE TABLE ${table}`, format: 'JSONEachRow' });
      const columns = new Set((await answer.json<{ readonly name: string }>()).map(({ name }) => name));
      const missing = sinkColumnNames.filter((name) => !columns.has(name));
      if (missing.length > 0)
        throw new Error(`the table ${table} lacks ${missing.join(', ')}: add what docs/operate/ledger-sinks.md has`);
    },
    close: () => client.close(),
  };
}
