import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { PrimaryLink, Services, SharedTable, SharedTableOptions } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createMemory } from './arena.ts';
import { MemoryTable } from './table.ts';

/** The name of the core's primary instance that has the tables. No package can have it. */
export const TABLES = 'the shared tables';

const [MOST_COLUMNS, MOST_ROWS] = [100, 100_000];
/** The main thread can be busy with the start of other workers. */
const OPEN_MS = 30_000;

/** A thread asks for the memory of a table. */
interface TableRequest extends SharedTableOptions<string> {
  readonly extension: string;
  readonly name: string;
}
interface TableMemory {
  readonly memory: SharedArrayBuffer;
  /** The thread that asks: number of the worker, or 0. */
  readonly worker: number;
}

const checkOptions = (name: string, { columns, rows }: SharedTableOptions<string>): void => {
  const hasColumns = columns.length > 0 && columns.length <= MOST_COLUMNS && new Set(columns).size === columns.length;
  if (hasColumns && Number.isInteger(rows) && rows > 0 && rows <= MOST_ROWS) return;
  throw new GatewayError(
    'internal_error',
    `The shared table ${name} needs 1 to ${MOST_COLUMNS} columns with different names, and 1 to ${MOST_ROWS} rows.`,
  );
};

const createTableMemory = (): SharedArrayBuffer => {
  const [memory] = createMemory(1);
  if (memory === undefined) throw new Error('A shared table has no memory.');
  return memory;
};

/** Tables in the memory of this thread alone: for tests, and where no gateway runs. */
export const openOwnTable: Services['sharedTable'] = async (name, options) => {
  checkOptions(name, options);
  return new MemoryTable(createTableMemory(), 0, options);
};

/** `sharedTable` of one extension. */
export const createOpenTable =
  (extension: string, link: PrimaryLink): Services['sharedTable'] =>
  async <Column extends string>(name: string, options: SharedTableOptions<Column>): Promise<SharedTable<Column>> => {
    const { columns, rows } = options;
    const request: TableRequest = { extension, name, columns, rows };
    const { memory, worker } = (await link.call(request, OPEN_MS)) as TableMemory;
    return new MemoryTable(memory, worker, options);
  };

/** The tables of this host. They live as long as the gateway, also over reloads. */
export function createTables(): PrimaryInstance & Required<Pick<PrimaryInstance, 'handle'>> {
  const byName = new Map<string, { readonly memory: SharedArrayBuffer; readonly table: MemoryTable<string> }>();
  return {
    handle: (message, worker): TableMemory => {
      const { extension, name, ...options } = message as TableRequest;
      checkOptions(name, options);
      // With other columns or rows it is another table.
      const id = JSON.stringify([extension, name, options.columns, options.rows]);
      let known = byName.get(id);
      if (known === undefined) {
        const memory = createTableMemory();
        byName.set(id, (known = { memory, table: new MemoryTable(memory, 0, options) }));
      }
      return { memory: known.memory, worker };
    },
    onWorkerExit: (worker) => {
      for (const { table } of byName.values()) table.recover(worker);
    },
  };
}
