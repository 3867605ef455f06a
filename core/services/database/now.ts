import { sql, type Kysely, type RawBuilder } from 'kysely';
import { dialectOf } from './dialect.ts';

/** Unix milliseconds by the clock of the database, since the clocks of hosts differ. */
export const nowOf = <Schema>(database: Kysely<Schema>): RawBuilder<number> =>
  dialectOf(database).name === 'postgres'
    ? sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`
    : sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
