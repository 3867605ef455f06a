import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { isLoopback } from '../loopback.ts';
import type { Finding } from '../problem.ts';
import type { CheckContext } from '../checks/check.ts';
import { member, text } from '../checks/tolerant.ts';

const isPublic = (section: unknown): boolean => !isLoopback(text(member(section, 'host')) ?? 'localhost');

/** What gives access to the admin listener crosses the network. */
const describeAccess = (admin: unknown): string => {
  const hasSessions = member(admin, 'oidc') !== undefined;
  const hasToken = (text(member(admin, 'token')) ?? '') !== '';
  if (!hasSessions) return 'its token is sent';
  return hasToken
    ? 'its token and the sessions of people who sign in (admin.oidc) are sent'
    : 'the sessions of people who sign in (admin.oidc) are sent';
};

/** The admin listener creates and revokes keys. */
export function* auditAdmin({ data }: CheckContext): Iterable<Finding> {
  const admin = member(data, 'admin');
  if (!isPublic(admin) || member(admin, 'tls') !== undefined) return;
  const message =
    `admin.host is reachable from other machines without TLS, so ${describeAccess(admin)} ` +
    'in clear text. Set admin.tls, or set admin.host to 127.0.0.1 and use a tunnel.';
  yield { path: ['admin', 'host'], rule: 'public-admin', message };
}

/** Without TLS, here or in a proxy in front, keys are sent in clear text. */
export function* auditServer({ data }: CheckContext): Iterable<Finding> {
  const server = member(data, 'server');
  if (!isPublic(server) || member(server, 'tls') !== undefined) return;
  if (readList(member(server, 'trustProxy')).length > 0) return;
  const message =
    'server.host is reachable from other machines without TLS, so keys are sent in clear text. ' +
    'Set server.tls, or put a proxy with TLS in front and list it in server.trustProxy.';
  yield { path: ['server', 'host'], rule: 'plain-listener', message };
}

/** When every address is a trusted proxy, every client can choose its own address. */
export function* auditProxies({ data }: CheckContext): Iterable<Finding> {
  for (const [index, range] of readList(member(member(data, 'server'), 'trustProxy')).entries()) {
    if (typeof range !== 'string' || !range.endsWith('/0')) continue;
    const path = ['server', 'trustProxy', index];
    const message =
      `${describePath(path)} trusts every client as a proxy, so a client can forge its address. ` +
      'List only your proxies.';
    yield { path, rule: 'trusts-everyone', message };
  }
}
