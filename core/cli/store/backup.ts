import { existsSync, statSync } from 'node:fs';
import { loadConfig } from '../../config/load.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { backupSqlite } from '../../services/database/backup-sqlite.ts';
import { MisuseError, parseOptions, takeOperand } from '../command.ts';
import { configOption } from '../options/option.ts';
import { describeWriteFailure } from '../write-new-file.ts';

const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** `koine store backup FILE`: copies the SQLite database of the configuration while the gateway serves. */
export async function backup(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [target, options] = takeOperand(args);
  if (target === undefined) throw new MisuseError('Give the file of the copy first: koine store backup FILE.');
  const { config: file } = parseOptions(options, configOption);
  const { config } = await loadConfig(file, builtIns, process.env);
  const url = config.store.database;
  if (!url.startsWith('sqlite:'))
    throw new MisuseError(
      'store.database is a Postgres. Copy it with pg_dump --format=custom (docs/operate/backup.md).',
    );
  const path = url.slice('sqlite:'.length);
  if (!existsSync(path)) throw new GatewayError('KOINE_STORE_FAILED', `There is no database ${path} to copy.`);
  if (existsSync(target)) throw new MisuseError(`${target} exists. Choose the name of a new file.`);
  try {
    await backupSqlite(path, target);
  } catch (error) {
    if (isFileError(error)) throw describeWriteFailure(target, error);
    throw new GatewayError(
      'KOINE_STORE_FAILED',
      `${path} could not be copied: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  console.error(`Copied ${path} to ${target} (${statSync(target).size} bytes, checked). It holds no secret of a key.`);
  return 0;
}
