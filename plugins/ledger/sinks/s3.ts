import { createHash } from 'node:crypto';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { LiveServices } from '../../../core/api/index.ts';
import { openBucket } from '../../../providers/identity/aws/bucket.ts';
import { sinkColumnNames, sinkColumns, type SinkRow } from './columns.ts';
import type { S3Options } from './schema.ts';
import type { Sink } from './sink.ts';

const CONTENT_TYPE = 'application/vnd.apache.parquet';
/** Readers of folders of Parquet files skip names that begin so. */
const CHECK_NAME = '_koine_check';

const dayOf = ({ opened_at }: SinkRow): string => new Date(opened_at).toISOString().slice(0, 10);

/** The same rows have the same name, so that a write that is repeated leaves one object. */
const nameOf = (day: string, rows: readonly SinkRow[]): string => {
  const digest = createHash('sha256');
  for (const { id, version } of rows) digest.update(`${id} ${version}\n`);
  return `day=${day}/${rows[0]?.id.replaceAll(/[^\w.-]/g, '_')}-${digest.digest('hex').slice(0, 12)}.parquet`;
};

const types = { text: 'STRING', integer: 'INT64', time: 'TIMESTAMP' } as const;

/** Writes rows as a Parquet file, compressed by Snappy. */
function writeParquet(rows: readonly SinkRow[]): Uint8Array {
  const columnData = sinkColumnNames.map((name) => {
    const { type, nullable } = sinkColumns[name];
    const data = rows.map(({ [name]: value }) => (typeof value === 'number' ? BigInt(value) : value));
    return { name, data, type: types[type], nullable };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: 'koine' }));
}

/** Writes a Parquet file for each day, in UTC, on which the requests of the rows began. */
export async function openS3(options: S3Options, services: LiveServices): Promise<Sink> {
  const bucket = await openBucket(options, services);
  return {
    write: async (rows) => {
      for (const [day, rowsOfDay] of Map.groupBy(rows, dayOf))
        await bucket.put(nameOf(day, rowsOfDay), CONTENT_TYPE, writeParquet(rowsOfDay));
    },
    check: () => bucket.put(CHECK_NAME, 'text/plain', new Uint8Array()),
    close: async () => bucket.close(),
  };
}
