import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { isProxyUrl, listEnvironmentProxies } from '../../services/network/environment-proxy.ts';
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

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && 'reason' in thrown ? String(thrown.reason) : String(thrown);

/** The reason of OpenSSL for refusing the texts; undefined when it accepts them. */
const findFlaw = ({ ca, cert, key }: Readonly<Record<string, string>>): string | undefined => {
  try {
    // An authority that is no certificate would be skipped without an error.
    if (ca !== undefined) void new X509Certificate(ca);
    createSecureContext({ ca, cert, key });
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
};

const checkTls = (tls: unknown, path: Path, folder: string): readonly Finding[] => {
  const findings: Finding[] = [];
  const texts: Record<string, string> = {};
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
  const lacking = (texts['cert'] === undefined) === (texts['key'] === undefined) ? undefined : 'both cert and key';
  const flaw = lacking === undefined ? findFlaw(texts) : undefined;
  if (lacking === undefined && flaw === undefined) return [];
  const message =
    lacking === undefined
      ? `${describePath(path)} needs PEM files with certificates, and the key of the certificate: ${flaw}.`
      : `${describePath(path)} needs ${lacking}, or none of them.`;
  return [{ path, rule: 'invalid-certificate', message }];
};

/** The certificates and keys of providers must be readable, and fit each other. */
export const checkProviderCertificates: Check = ({ data, folder }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]) =>
    checkTls(member(provider, 'tls'), ['providers', name, 'tls'], folder),
  );
