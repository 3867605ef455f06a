import type { CheckContext } from '../checks/check.ts';
import type { Finding } from '../problem.ts';
import { findFlaw, validityOf, type KeyPair } from './key-pair.ts';
import { certificatesOf } from './read-certificates.ts';

/** The files under `tls` of a listener must be readable, and be a certificate and its private key. */
export function* checkCertificates({ certificates, isShown }: CheckContext): Iterable<Finding> {
  const pairs = certificatesOf(certificates);
  for (const listener of ['server', 'admin'] as const) {
    const [files, pair] = [certificates[listener], pairs[listener]];
    if (files === undefined || pair === undefined) continue;
    /** The setting and, unless its path comes from a variable, the file. */
    const nameOf = (member: keyof KeyPair): string => {
      const path = [listener, 'tls', member];
      return isShown(path) ? `${path.join('.')} (${files[member].file})` : path.join('.');
    };
    const unreadable = (['cert', 'key'] as const).filter((member) => files[member].unreadable !== undefined);
    for (const member of unreadable) {
      const message = `The file in ${nameOf(member)} cannot be read: ${files[member].unreadable}.`;
      yield { path: [listener, 'tls', member], rule: 'unreadable-file', message };
    }
    if (unreadable.length === 0) yield* checkPair(listener, pair, nameOf);
  }
}

function* checkPair(listener: string, pair: KeyPair, nameOf: (member: keyof KeyPair) => string): Iterable<Finding> {
  const flaw = findFlaw(pair);
  if (flaw !== undefined) {
    const { of, reason } = flaw;
    const subject = of === undefined ? `${nameOf('cert')} and ${nameOf('key')}` : nameOf(of);
    const path = of === undefined ? [listener, 'tls'] : [listener, 'tls', of];
    yield { path, rule: 'invalid-certificate', message: `${subject} cannot be used for TLS: ${reason}.` };
    return;
  }
  const { from, to } = validityOf(pair);
  const now = Date.now();
  if (from <= now && now < to) return;
  const what =
    now < from ? `is not valid before ${new Date(from).toISOString()}` : `expired at ${new Date(to).toISOString()}`;
  const message = `The certificate in ${nameOf('cert')} ${what}. Clients refuse it.`;
  yield { path: [listener, 'tls', 'cert'], severity: 'warning', rule: 'expired-certificate', message };
}
