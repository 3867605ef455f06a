import type { DatabaseOwner, Dialect } from '../../core/api/database.ts';
import {
  counterNames,
  dimensionNames,
  laterCounts,
  sketchNames,
  tokenColumns,
  viewNames,
  type CounterName,
} from './tables.ts';

const columns = (type: string, names: readonly string[]): string => names.map((name) => `${name} ${type}`).join(', ');
const clustered = ({ name }: Dialect): string => (name === 'sqlite' ? 'STRICT, WITHOUT ROWID' : '');

/** The counters of the first migration. Each later counter has a migration of its own. */
const laterCounters: ReadonlySet<CounterName> = new Set(['unfinished', ...laterCounts, 'characters', 'retried']);
const firstCounters = counterNames.filter((name) => !laterCounters.has(name));
const addUnfinished = ({ integer }: Dialect): readonly string[] => [
  `ALTER TABLE ledger_usage ADD COLUMN unfinished ${integer} NOT NULL DEFAULT 0`,
];
const addTags = ({ text }: Dialect): readonly string[] => [`ALTER TABLE ledger ADD COLUMN tags ${text}`];
const addUnits = ({ integer, text }: Dialect): readonly string[] => [
  ...['ledger', 'ledger_usage'].flatMap((table) =>
    laterCounts.map((name) => `ALTER TABLE ${table} ADD COLUMN ${name} ${integer} NOT NULL DEFAULT 0`),
  ),
  ...['tier', 'region'].map((name) => `ALTER TABLE ledger ADD COLUMN ${name} ${text}`),
];

/** The index serves budgets of one user, whose spending is read when a window begins. */
const addUsers = ({ text }: Dialect): readonly string[] => [
  `ALTER TABLE ledger ADD COLUMN end_user ${text}`,
  'CREATE INDEX ledger_user ON ledger (end_user, ended_at) WHERE end_user IS NOT NULL',
];

const addModels = ({ text }: Dialect): readonly string[] => [`ALTER TABLE ledger ADD COLUMN vendor_models ${text}`];

/** The indexes of searches for requests. */
export const searchIndexes = [
  { name: 'ledger_search', definition: '(organization, project, key, model, target, ended_at, id)' },
  { name: 'ledger_failed', definition: "(ended_at, id) WHERE outcome <> 'ok'" },
  {
    name: 'ledger_search_failed',
    definition: "(organization, project, key, model, target, ended_at, id) WHERE outcome <> 'ok'",
  },
] as const;
const createIndexes = (): readonly string[] =>
  searchIndexes.map(({ name, definition }) => `CREATE INDEX IF NOT EXISTS ${name} ON ledger ${definition}`);

/** A new ledger has the indexes already. In a large one of Postgres, `createSearchIndexes` creates them later. */
const addRequests = ({ name: database, text, integer }: Dialect): readonly string[] => [
  ...['code', 'trace_id', 'upstream_request_id', 'trail', 'losses', 'message'].map(
    (name) => `ALTER TABLE ledger ADD COLUMN ${name} ${text}`,
  ),
  `ALTER TABLE ledger ADD COLUMN stream ${integer}`,
  ...(database === 'sqlite' ? createIndexes() : []),
];

const addRetried = ({ integer }: Dialect): readonly string[] => [
  `ALTER TABLE ledger_usage ADD COLUMN retried ${integer} NOT NULL DEFAULT 0`,
];

/** Sums of earlier versions get their sketches and views while the ledger is used: thread/views.ts. */
const addViews = ({ integer, text, strict }: Dialect): readonly string[] => [
  ...sketchNames.map((name) => `ALTER TABLE ledger_usage ADD COLUMN ${name} ${text} NOT NULL DEFAULT ''`),
  `ALTER TABLE ledger_processes ADD COLUMN writes_views ${integer} NOT NULL DEFAULT 0`,
  `CREATE TABLE ledger_groups (id ${integer} PRIMARY KEY, ${columns(`${text} NOT NULL`, dimensionNames)}) ${strict}`,
  `CREATE INDEX ledger_groups_names ON ledger_groups (${dimensionNames.join(', ')})`,
  `CREATE TABLE ledger_state (name ${text} PRIMARY KEY, value ${integer} NOT NULL) ${strict}`,
];

/** The groups of each combination, so that building the views does not look them up for each sum: thread/views.ts. */
const addViewGroups = ({ integer, strict }: Dialect): readonly string[] => [
  `CREATE TABLE ledger_view_groups
    (dimension ${integer} PRIMARY KEY, ${columns(`${integer} NOT NULL`, viewNames)}) ${strict}`,
];

const addSinks = (dialect: Dialect): readonly string[] => {
  const { text, integer, strict } = dialect;
  return [
    `CREATE TABLE ledger_sinks (name ${text} PRIMARY KEY, process ${text} NOT NULL, seen_at ${integer} NOT NULL,
      history_from ${text}, history_to ${text} NOT NULL) ${strict}`,
    `CREATE TABLE ledger_unshipped (${columns(`${text} NOT NULL`, ['sink', 'token', 'ids'])},
      written_at ${integer} NOT NULL, PRIMARY KEY (sink, token)) ${clustered(dialect)}`,
  ];
};

const addCharacters = ({ integer }: Dialect): readonly string[] =>
  ['ledger', 'ledger_usage'].map((table) => `ALTER TABLE ${table} ADD COLUMN characters ${integer} NOT NULL DEFAULT 0`);

const createTables = (dialect: Dialect): readonly string[] => {
  const { text, integer, strict } = dialect;
  const [needText, need] = [`${text} NOT NULL`, `${integer} NOT NULL`];
  return [
    `CREATE TABLE ledger (
      id ${text} PRIMARY KEY, ${columns(needText, ['process', 'state'])}, opened_at ${need}, ended_at ${integer},
      ${columns(needText, ['organization', 'project', 'key', 'route', 'wire', 'operation', 'model'])}, target ${text},
      attempts ${need}, status ${integer}, outcome ${text},
      ${columns(need, tokenColumns)},
      usage_source ${text}, cost ${integer}, price_version ${text},
      ${columns(integer, ['cache_saved', 'cache_lost', 'total_ms', 'first_content_ms'])},
      ${columns(text, ['raw_usage', 'charges', 'estimated_target'])},
      ${columns(integer, ['estimated_input_tokens', 'estimated_cost', 'abandoned_at'])}
    ) ${strict}`,
    "CREATE INDEX ledger_pending ON ledger (process) WHERE state = 'pending'",
    'CREATE INDEX ledger_ended ON ledger (ended_at)',
    ...createIndexes(),
    `CREATE TABLE ledger_processes (id ${text} PRIMARY KEY, ${columns(need, ['renewed_at', 'expires_at'])}) ${strict}`,
    `CREATE TABLE ledger_dimensions (id ${integer} PRIMARY KEY, ${columns(needText, dimensionNames)}) ${strict}`,
    `CREATE TABLE ledger_usage (step ${needText}, ${columns(need, ['start', 'dimension', ...firstCounters])},
      PRIMARY KEY (step, start, dimension)) ${clustered(dialect)}`,
    `CREATE TABLE ledger_latencies (step ${needText}, ${columns(need, ['start', 'dimension'])}, kind ${needText},
      ${columns(need, ['bucket', 'count'])},
      PRIMARY KEY (step, start, dimension, kind, bucket)) ${clustered(dialect)}`,
  ];
};

/** @param timeoutMs timeout of one statement; on SQLite, how long it waits for other writers */
export const ledgerTables = (timeoutMs: number): DatabaseOwner => ({
  name: 'ledger',
  migrations: [
    { name: '001-ledger', sql: createTables },
    { name: '002-unfinished', sql: addUnfinished },
    { name: '003-tags', sql: addTags },
    { name: '004-units', sql: addUnits },
    { name: '005-users', sql: addUsers },
    { name: '006-models', sql: addModels },
    { name: '007-requests', sql: addRequests },
    { name: '008-retried', sql: addRetried },
    { name: '009-views', sql: addViews },
    { name: '010-view-groups', sql: addViewGroups },
    { name: '011-sinks', sql: addSinks },
    { name: '012-characters', sql: addCharacters },
  ],
  timeoutMs,
});
