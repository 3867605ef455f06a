import type { Check, CheckContext } from '../checks/check.ts';
import type { Finding } from '../problem.ts';
import { findFlaw, validityOf, type KeyPair } from './key-pair.ts';
import { certificatesOf, type ListenerName, type PemFile } from './read-certificates.ts';

type Files = Readonly<Record<keyof KeyPair, PemFile>>;
type IsShown = CheckContext['isShown'];

/** The setting and, unless its path comes from a variable, the file. */
const nameOf = (listener: ListenerName, member: keyof KeyPair, files: Files, isShown: IsShown): string => {
  const path = [listener, 'tls', member];
  return isShown(path) ? `${path.join('.')} (${files[member].file})` : path.join('.');
};

const findUnreadable = (listener: ListenerName, files: Files, isShown: IsShown): readonly Finding[] =>
  (['cert', 'key'] as const).flatMap((member): readonly Finding[] => {
    const { unreadable } = files[member];
    const message = `The file in ${nameOf(listener, member, files, isShown)} cannot be read: ${unreadable}.`;
    return unreadable === undefined ? [] : [{ path: [listener, 'tls', member], rule: 'unreadable-file', message }];
  });

const findInvalid = (listener: ListenerName, pair: KeyPair, files: Files, isShown: IsShown): readonly Finding[] => {
  const flaw = findFlaw(pair);
  if (flaw === undefined) return [];
  const { of, reason } = flaw;
  const write = (member: keyof KeyPair): string => nameOf(listener, member, files, isShown);
  const subject = of === undefined ? `${write('cert')} and ${write('key')}` : write(of);
  return [
    {
      path: of === undefined ? [listener, 'tls'] : [listener, 'tls', of],
      rule: 'invalid-certificate',
      message: `${subject} cannot be used for TLS: ${reason}.`,
    },
  ];
};

const findExpired = (listener: ListenerName, pair: KeyPair, files: Files, isShown: IsShown): readonly Finding[] => {
  const { from, to } = validityOf(pair);
  const now = Date.now();
  if (from <= now && now < to) return [];
  const what =
    now < from ? `is not valid before ${new Date(from).toISOString()}` : `expired at ${new Date(to).toISOString()}`;
  return [
    {
      path: [listener, 'tls', 'cert'],
      severity: 'warning',
      rule: 'expired-certificate',
      message: `The certificate in ${nameOf(listener, 'cert', files, isShown)} ${what}. Clients refuse it.`,
    },
  ];
};

/** The files under `tls` of a listener must be readable, and be a certificate and its private key. */
export const checkCertificates: Check = ({ certificates: files, isShown }) => {
  const pairs = certificatesOf(files);
  return (['server', 'admin'] as const).flatMap((listener): readonly Finding[] => {
    const [found, pair] = [files[listener], pairs[listener]];
    if (found === undefined || pair === undefined) return [];
    const unreadable = findUnreadable(listener, found, isShown);
    if (unreadable.length > 0) return unreadable;
    const invalid = findInvalid(listener, pair, found, isShown);
    return invalid.length > 0 ? invalid : findExpired(listener, pair, found, isShown);
  });
};
