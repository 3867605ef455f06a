import { parquetWriteBuffer } from 'hyparquet-writer';
import { sinkColumnNames, sinkColumns, type SinkRow } from './columns.ts';

const types = { text: 'STRING', integer: 'INT64', time: 'TIMESTAMP' } as const;

/** Writes rows as a Parquet file, compressed by Snappy. */
export function writeParquet(rows: readonly SinkRow[]): Uint8Array {
  const columnData = sinkColumnNames.map((name) => {
    const { type, nullable } = sinkColumns[name];
    const data = rows.map(({ [name]: value }) => (typeof value === 'number' ? BigInt(value) : value));
    return { name, data, type: types[type], nullable };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: 'koine' }));
}
