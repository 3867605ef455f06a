import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { isProxyUrl, listEnvironmentProxies } from '../../services/network/environment-proxy.ts';
import { findFlaw, findReason } from '../certificates/key-pair.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { pemMembers, readPem } from '../resolve/read-pem.ts';
import type { CheckContext } from './check.ts';
import { entries, member, text } from './tolerant.ts';

const PROXY =
  'http://proxy.internal:3128 or http://name:password@proxy.internal:3128, without a path. ' +
  'The gateway has no support for SOCKS.';

/** The proxy of a provider must be a URL, or the word for the environment. Messages never quote it. */
export function* checkProviderProxies({ data, env }: CheckContext): Iterable<Finding> {
  for (const [name, provider] of entries(member(data, 'providers'))) {
    const path: Path = ['providers', name, 'proxy'];
    const proxy = text(member(provider, 'proxy'));
    if (proxy === undefined) continue;
    if (proxy === 'environment') {
      for (const [variable, url] of listEnvironmentProxies(env)) {
        const message = `The variable ${variable}, which ${describePath(path)} refers to, must look like ${PROXY}`;
        if (!isProxyUrl(url)) yield { path, rule: 'invalid-address', message };
      }
    } else if (!isProxyUrl(proxy)) {
      const message = `${describePath(path)} must be the word environment, or look like ${PROXY}`;
      yield { path, rule: 'invalid-address', message };
    }
  }
}

const findCaFlaw = (ca: string): string | undefined =>
  // An authority that is no certificate would be skipped without an error.
  findReason(() => [new X509Certificate(ca), createSecureContext({ ca })]);

type Pem = (typeof pemMembers)[number];

/** What is wrong, with its member: undefined where cert and key do not belong together. */
const findPemFlaw = ({
  ca,
  cert,
  key,
}: Partial<Record<Pem, string>>): readonly [Pem | undefined, string] | undefined => {
  const flaw = ca === undefined ? undefined : findCaFlaw(ca);
  if (flaw !== undefined) return ['ca', `is not a certificate in PEM that OpenSSL accepts: ${flaw}.`];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) return [undefined, 'needs both cert and key, or none of them.'];
  const found = findFlaw({ cert, key });
  return found && [found.of, `cannot be used for TLS: ${found.reason}.`];
};

/** The certificates and keys must be readable, and fit each other. */
export function* checkTls(tls: unknown, path: Path, folder: string): Iterable<Finding> {
  const texts: Partial<Record<Pem, string>> = {};
  let isReadable = true;
  for (const name of pemMembers) {
    const setting = text(member(tls, name));
    if (setting === undefined) continue;
    try {
      texts[name] = readPem(setting, folder);
    } catch {
      isReadable = false;
      yield unreadableFile([...path, name]);
    }
  }
  const flaw = isReadable ? findPemFlaw(texts) : undefined;
  if (flaw === undefined) return;
  const at = flaw[0] === undefined ? path : [...path, flaw[0]];
  yield { path: at, rule: 'invalid-certificate', message: `${describePath(at)} ${flaw[1]}` };
}

export const unreadableFile = (path: Path): Finding => ({
  path,
  rule: 'unreadable-file',
  message: `The file in ${describePath(path)} cannot be read. Check its path and its permissions.`,
});

/** The certificates and keys of providers must be readable, and fit each other. */
export function* checkProviderCertificates({ data, folder }: CheckContext): Iterable<Finding> {
  for (const [name, provider] of entries(member(data, 'providers')))
    yield* checkTls(member(provider, 'tls'), ['providers', name, 'tls'], folder);
}
