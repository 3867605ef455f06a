import type { Finding } from '../../problem.ts';
import type { Check } from '../check.ts';
import { member } from '../tolerant.ts';

const isSupported = (database: string): boolean =>
  /^sqlite:./.test(database) || (/^postgres(?:ql)?:\/\/./.test(database) && URL.canParse(database));

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
  return /[?&]password=/.test(database)
    ? finding(
        'Write the password of store.database before the @, where it is never shown: ' +
          'postgres://user:password@db.internal:5432/koine.',
      )
    : [];
};
