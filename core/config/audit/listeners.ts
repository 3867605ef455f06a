import { describePath } from '../describe-path.ts';
import { isLoopback } from '../loopback.ts';
import type { Finding } from '../problem.ts';
import type { Check } from '../checks/check.ts';
import { items, member, text } from '../checks/tolerant.ts';

const isPublic = (section: unknown): boolean => !isLoopback(text(member(section, 'host')) ?? 'localhost');

/** Keys are made and revoked there; one token is all that stands before it. */
export const auditAdmin: Check = ({ data }) =>
  isPublic(member(data, 'admin')) && member(member(data, 'admin'), 'tls') === undefined
    ? [
        {
          path: ['admin', 'host'],
          rule: 'public-admin',
          message:
            'admin.host can be reached from other machines without TLS: the token crosses the network in clear. Set admin.tls, or write 127.0.0.1 and reach it by a tunnel.',
        },
      ]
    : [];

/** Keys cross the network as they are, unless TLS or a proxy that has it stands in front. */
export const auditServer: Check = ({ data }) => {
  const server = member(data, 'server');
  return isPublic(server) && member(server, 'tls') === undefined && items(member(server, 'trustProxy')).length === 0
    ? [
        {
          path: ['server', 'host'],
          rule: 'plain-listener',
          message:
            'Clients from other machines send their keys in clear: set server.tls, or put a proxy with TLS in front and name it in server.trustProxy.',
        },
      ]
    : [];
};

/** Where everybody is a proxy, everybody says who they are. */
export const auditProxies: Check = ({ data }) =>
  items(member(member(data, 'server'), 'trustProxy')).flatMap((range, index): readonly Finding[] => {
    const path = ['server', 'trustProxy', index];
    return typeof range === 'string' && range.endsWith('/0')
      ? [
          {
            path,
            rule: 'trusts-everyone',
            message: `${describePath(path)} takes every client for a proxy, and believes the address it gives itself. Name the proxies.`,
          },
        ]
      : [];
  });
