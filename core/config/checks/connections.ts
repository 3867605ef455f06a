import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { isProxyUrl, listEnvironmentProxies } from '../../services/network/environment-proxy.ts';
import { findFlaw, findReason } from '../certificates/key-pair.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { pemMembers, readPem } from '../resolve/read-pem.ts';
import type { Check } from './check.ts';
import { entries, member, text } from './tolerant.ts';

const PROXY =
  'http://proxy.internal:3128 or http://name:password@proxy.internal:3128, without a path. ' +
  'The gateway has no support for SOCKS.';

/** The proxy of a provider must be a URL, or the word for the environment. Messages never quote it. */
export const checkProviderProxies: Check = ({ data, env }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]): readonly Finding[] => {
    const path: Path = ['providers', name, 'proxy'];
    const proxy = text(member(provider, 'proxy'));
    if (proxy === undefined) return [];
    if (proxy !== 'environment')
      return isProxyUrl(proxy)
        ? []
        : [
            {
              path,
              rule: 'invalid-address',
              message: `${describePath(path)} must be the word environment, or look like ${PROXY}`,
            },
          ];
    return listEnvironmentProxies(env)
      .filter(([, url]) => !isProxyUrl(url))
      .map(([variable]) => ({
        path,
        rule: 'invalid-address',
        message: `The variable ${variable}, which ${describePath(path)} refers to, must look like ${PROXY}`,
      }));
  });

const findCaFlaw = (ca: string): string | undefined =>
  // An authority that is no certificate would be skipped without an error.
  findReason(() => [new X509Certificate(ca), createSecureContext({ ca })]);

type Pem = (typeof pemMembers)[number];

/** What is wrong, with its member: undefined where cert and key do not belong together. */
const findFlaws = ({
  ca,
  cert,
  key,
}: Partial<Record<Pem, string>>): readonly (readonly [Pem | undefined, string])[] => {
  const flaw = ca === undefined ? undefined : findCaFlaw(ca);
  if (flaw !== undefined) return [['ca', `is not a certificate in PEM that OpenSSL accepts: ${flaw}.`]];
  if (cert === undefined && key === undefined) return [];
  if (cert === undefined || key === undefined) return [[undefined, 'needs both cert and key, or none of them.']];
  const found = findFlaw({ cert, key });
  return found === undefined ? [] : [[found.of, `cannot be used for TLS: ${found.reason}.`]];
};

/** The certificates and keys must be readable, and fit each other. */
export const checkTls = (tls: unknown, path: Path, folder: string): readonly Finding[] => {
  const findings: Finding[] = [];
  const texts: Partial<Record<Pem, string>> = {};
  for (const name of pemMembers) {
    const setting = text(member(tls, name));
    if (setting === undefined) continue;
    try {
      texts[name] = readPem(setting, folder);
    } catch {
      const at = [...path, name];
      findings.push({
        path: at,
        rule: 'unreadable-file',
        message: `The file in ${describePath(at)} cannot be read. Check its path and its permissions.`,
      });
    }
  }
  if (findings.length > 0) return findings;
  return findFlaws(texts).map(([name, what]) => {
    const at = name === undefined ? path : [...path, name];
    return { path: at, rule: 'invalid-certificate', message: `${describePath(at)} ${what}` };
  });
};

/** The certificates and keys of providers must be readable, and fit each other. */
export const checkProviderCertificates: Check = ({ data, folder }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]) =>
    checkTls(member(provider, 'tls'), ['providers', name, 'tls'], folder),
  );
