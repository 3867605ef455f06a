import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { isLoopback } from '../loopback.ts';
import type { Finding } from '../problem.ts';
import type { Check } from '../checks/check.ts';
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
export const auditAdmin: Check = ({ data }) =>
  isPublic(member(data, 'admin')) && member(member(data, 'admin'), 'tls') === undefined
    ? [
        {
          path: ['admin', 'host'],
          rule: 'public-admin',
          message:
            `admin.host is reachable from other machines without TLS, so ${describeAccess(member(data, 'admin'))} ` +
            'in clear text. Set admin.tls, or set admin.host to 127.0.0.1 and use a tunnel.',
        },
      ]
    : [];

/** Without TLS, here or in a proxy in front, keys are sent in clear text. */
export const auditServer: Check = ({ data }) => {
  const server = member(data, 'server');
  return isPublic(server) && member(server, 'tls') === undefined && readList(member(server, 'trustProxy')).length === 0
    ? [
        {
          path: ['server', 'host'],
          rule: 'plain-listener',
          message:
            'server.host is reachable from other machines without TLS, so keys are sent in clear text. ' +
            'Set server.tls, or put a proxy with TLS in front and list it in server.trustProxy.',
        },
      ]
    : [];
};

/** When every address is a trusted proxy, every client can choose its own address. */
export const auditProxies: Check = ({ data }) =>
  readList(member(member(data, 'server'), 'trustProxy')).flatMap((range, index): readonly Finding[] => {
    const path = ['server', 'trustProxy', index];
    return typeof range === 'string' && range.endsWith('/0')
      ? [
          {
            path,
            rule: 'trusts-everyone',
            message:
              `${describePath(path)} trusts every client as a proxy, so a client can forge its address. ` +
              'List only your proxies.',
          },
        ]
      : [];
  });
