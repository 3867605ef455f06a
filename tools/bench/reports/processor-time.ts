import { existsSync, readFileSync } from 'node:fs';
import { dialectOf, sql, type Database } from '../../../core/api/database.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** The fields of /proc/PID/stat from the state on: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const readStat = (pid: string): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    // It has ended.
    return [];
  }
};
const sumOf = (fields: readonly (string | undefined)[]): number =>
  fields.reduce((sum, field) => sum + Number(field ?? 0), 0);

/**
 * Measures the processor time of this process, and of a Postgres server on this machine with all its processes, in
 * milliseconds. Other programs lengthen the time by the clock, and hardly this one.
 */
export async function watchProcessorTime(database: Database<LedgerSchema>): Promise<() => number> {
  const own = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  if (dialectOf(database).name !== 'postgres') return own;
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database);
  const backend = String(rows[0]?.pid);
  if (!existsSync(`/proc/${backend}/stat`)) return own;
  const [, server = ''] = readStat(backend);
  const ofServer = (): number => {
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
    // Of the server: also that of its processes that have ended.
    const ended = readStat(server).slice(11, 15);
    return TICK_MS * (sumOf(ended) + sumOf(children.flatMap((pid) => readStat(pid).slice(11, 13))));
  };
  return () => own() + ofServer();
}
