/** `koine-gateway/database`: SQLite or Postgres with migrations and typed queries, for plugins that keep rows. */
export { withAdvisoryLock } from '../services/database/advisory-lock.ts';
export { CompiledQuery, openDatabase, sql, type Database } from '../services/database/database.ts';
export { dialectOf, nowOf, type Dialect } from '../services/database/dialect.ts';
export type { DatabaseOwner, Migration } from '../services/database/migrations.ts';
