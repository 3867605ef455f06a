import { isLoopback } from '../../loopback.ts';
import type { Check } from '../check.ts';
import { member, text } from '../tolerant.ts';
import { findWeakness } from './token-strength.ts';

/** The admin listener gives access to the metrics and secrets of the whole gateway. */
export const checkAdmin: Check = ({ data }) => {
  const admin = member(data, 'admin');
  const host = text(member(admin, 'host'));
  if (host === undefined || isLoopback(host)) return [];
  const token = text(member(admin, 'token'));
  if (token === undefined && member(admin, 'oidc') !== undefined) return [];
  if (token === undefined)
    return [
      {
        path: ['admin', 'host'],
        rule: 'admin-without-token',
        message: 'admin.host is not a loopback address, so admin.token or admin.oidc must be set.',
      },
    ];
  const weakness = findWeakness(token);
  return weakness === undefined
    ? []
    : [
        {
          path: ['admin', 'token'],
          rule: 'weak-token',
          message:
            `admin.token ${weakness}. It must be hard to guess, because admin.host is reachable from other ` +
            'machines. Create one with: openssl rand -base64 32',
        },
      ];
};
