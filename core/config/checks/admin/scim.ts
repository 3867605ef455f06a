import { isLoopback } from '../../loopback.ts';
import type { Finding } from '../../problem.ts';
import type { Check } from '../check.ts';
import { member, text } from '../tolerant.ts';
import { findWeakness } from './token-strength.ts';

const PATH = ['admin', 'scim'] as const;

const checkToken = (token: string | undefined, admin: unknown): readonly Finding[] => {
  if (token === undefined) return [];
  const path = [...PATH, 'token'];
  if (token === text(member(admin, 'token')))
    return [
      {
        path,
        rule: 'duplicate-secret',
        message: 'admin.scim.token must be another one than admin.token. Create a second one.',
      },
    ];
  const host = text(member(admin, 'host'));
  const weakness = host === undefined || isLoopback(host) ? undefined : findWeakness(token);
  return weakness === undefined
    ? []
    : [
        {
          path,
          rule: 'weak-token',
          message:
            `admin.scim.token ${weakness}. It must be hard to guess, because admin.host is reachable from other ` +
            'machines. Create one with: openssl rand -base64 32',
        },
      ];
};

/** The directory decides about the people who sign in with `oidc`, and its token about all of them. */
export const checkScim: Check = ({ data }) => {
  const admin = member(data, 'admin');
  const scim = member(admin, 'scim');
  if (scim === undefined) return [];
  const withoutSignIn: readonly Finding[] =
    member(admin, 'oidc') !== undefined
      ? []
      : [
          {
            path: PATH,
            on: 'key',
            rule: 'missing-key',
            message: 'admin.scim needs admin.oidc: it decides about the people who sign in.',
          },
        ];
  return [...withoutSignIn, ...checkToken(text(member(scim, 'token')), admin)];
};
