import { stat } from 'node:fs/promises';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Problem } from '../../config/problem.ts';
import { readConfig } from '../../config/read/read-config.ts';
import { parseSource, type ParsedSource } from '../../config/read/source.ts';
import { MisuseError } from '../command.ts';

/** The configuration of another gateway. `${…}` has no meaning in it. */
export interface ForeignFile {
  readonly source: ParsedSource;
  readonly data: JsonObject;
}

/** Without the source frame: it may show a secret. */
const describe = ({ file, line, column, message }: Problem): string => `${file}:${line}:${column} ${message}`;

const toData = (source: ParsedSource): unknown => {
  try {
    return source.document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new MisuseError(`${source.file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
};

/** Ten thousand deployments have less. */
const MOST_MB = 4;

/** @throws MisuseError where it is not YAML, or too large; GatewayError `KOINE_CONFIG_UNREADABLE` */
export async function openForeign(file: string): Promise<ForeignFile> {
  const size = await stat(file).catch(() => undefined);
  if (size !== undefined && size.size > MOST_MB * 1e6)
    throw new MisuseError(`${file} has ${Math.ceil(size.size / 1e6)} MB, and a configuration at most ${MOST_MB} MB.`);
  const source = parseSource(file, await readConfig(file), { merge: true });
  const broken = source.problems.filter(({ rule, severity }) => rule === 'invalid-yaml' && severity === 'error');
  if (broken.length > 0) throw new MisuseError(broken.map(describe).join('\n'));
  for (const problem of source.problems) console.error(describe(problem));
  const data = toData(source);
  if (!isObject(data)) throw new MisuseError(`${file} has no settings.`);
  return { source, data };
}
