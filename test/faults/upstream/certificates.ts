import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, setDefaultCACertificates, type SecureContext } from 'node:tls';

/**
 * The certificate or behaviour of the upstream: `stalled` never responds to a handshake, `plain` has no TLS.
 */
export type Security = 'none' | 'good' | 'expired' | 'other-host' | 'self-signed' | 'old' | 'stalled' | 'plain';

const folder = new URL('../tls/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
export const authorityFile = new URL('ca.pem', folder).pathname;

export const contextOf = (security: Security): SecureContext => {
  const cert = security === 'old' ? 'good' : security;
  const old =
    security === 'old' ? ({ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const) : {};
  return createSecureContext({ key: read('server.key'), cert: read(`${cert}.pem`), ...old });
};

/** Makes the process trust the test authority until the returned function is called. */
export const trustAuthority = (): (() => void) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, read('ca.pem')]);
  return () => setDefaultCACertificates(before);
};
