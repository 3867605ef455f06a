import { splitHosts } from '../../../services/database/postgres-hosts.ts';
import type { Finding } from '../../problem.ts';
import type { Check } from '../check.ts';
import { member } from '../tolerant.ts';

const TARGETS = ['read-write', 'primary', 'any'];

const isSupported = (database: string): boolean =>
  /^sqlite:./.test(database) ||
  (/^postgres(?:ql)?:\/\/./.test(database) && splitHosts(database).urls.every((url) => URL.canParse(url)));

/** The database must be of a supported kind. Messages never quote the URL, which may contain a password. */
export const checkDatabase: Check = ({ data }) => {
  const database = member(member(data, 'store'), 'database');
  const finding = (message: string): readonly Finding[] => [
    { path: ['store', 'database'], rule: 'unsupported-database', message },
  ];
  if (typeof database !== 'string') return [];
  if (!isSupported(database))
    return finding(
      'store.database must look like sqlite:./data/koine.db or postgres://user:password@db.internal:5432/koine.',
    );
  const { target = 'any' } = splitHosts(database);
  if (!TARGETS.includes(target))
    return finding(`target_session_attrs of store.database must be ${TARGETS.join(', ')}: the gateway writes.`);
  return /[?&]password=/.test(database)
    ? finding(
        'Write the password of store.database before the @, where it is never shown: ' +
          'postgres://user:password@db.internal:5432/koine.',
      )
    : [];
};
