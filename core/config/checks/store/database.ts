import { splitHosts } from '../../../services/database/postgres-hosts.ts';
import type { Finding } from '../../problem.ts';
import type { CheckContext } from '../check.ts';
import { member } from '../tolerant.ts';

const TARGETS = ['read-write', 'primary', 'any'];

const isSupported = (database: string): boolean =>
  /^sqlite:./.test(database) ||
  (/^postgres(?:ql)?:\/\/./.test(database) && splitHosts(database).urls.every((url) => URL.canParse(url)));

const findFlaw = (database: string): string | undefined => {
  if (!isSupported(database))
    return 'store.database must look like sqlite:./data/koine.db or postgres://user:password@db.internal:5432/koine.';
  const { target = 'any' } = splitHosts(database);
  if (!TARGETS.includes(target))
    return `target_session_attrs of store.database must be ${TARGETS.join(', ')}: the gateway writes.`;
  if (!/[?&]password=/.test(database)) return undefined;
  return (
    'Write the password of store.database before the @, where it is never shown: ' +
    'postgres://user:password@db.internal:5432/koine.'
  );
};

/** The database must be of a supported kind. Messages never quote the URL, which may contain a password. */
export function* checkDatabase({ data }: CheckContext): Iterable<Finding> {
  const database = member(member(data, 'store'), 'database');
  const message = typeof database === 'string' ? findFlaw(database) : undefined;
  if (message !== undefined) yield { path: ['store', 'database'], rule: 'unsupported-database', message };
}
