import { isLoopback } from '../../loopback.ts';
import type { Finding, Path } from '../../problem.ts';
import type { CheckContext } from '../check.ts';
import { member, text } from '../tolerant.ts';
import { findWeakness } from './token-strength.ts';

function* checkStrength(token: string, path: Path): Iterable<Finding> {
  const weakness = findWeakness(token);
  if (weakness === undefined) return;
  const message =
    `${path.join('.')} ${weakness}. It must be hard to guess, because admin.host is reachable from other ` +
    'machines. Create one with: openssl rand -base64 32';
  yield { path, rule: 'weak-token', message };
}

const isReachable = (admin: unknown): boolean => !isLoopback(text(member(admin, 'host')) ?? 'localhost');

/** The admin listener gives access to the metrics and secrets of the whole gateway. */
export function* checkAdmin({ data }: CheckContext): Iterable<Finding> {
  const admin = member(data, 'admin');
  if (!isReachable(admin)) return;
  const token = text(member(admin, 'token'));
  const message = 'admin.host is not a loopback address, so admin.token or admin.oidc must be set.';
  if (token !== undefined) yield* checkStrength(token, ['admin', 'token']);
  else if (member(admin, 'oidc') === undefined) yield { path: ['admin', 'host'], rule: 'admin-without-token', message };
}

/** The directory decides about the people who sign in with `oidc`, and its token about all of them. */
export function* checkScim({ data }: CheckContext): Iterable<Finding> {
  const admin = member(data, 'admin');
  const scim = member(admin, 'scim');
  if (scim === undefined) return;
  if (member(admin, 'oidc') === undefined) {
    const message = 'admin.scim needs admin.oidc: it decides about the people who sign in.';
    yield { path: ['admin', 'scim'], on: 'key', rule: 'missing-key', message };
  }
  const path: Path = ['admin', 'scim', 'token'];
  const token = text(member(scim, 'token'));
  if (token === undefined) return;
  const message = 'admin.scim.token must be another one than admin.token. Create a second one.';
  if (token === text(member(admin, 'token'))) yield { path, rule: 'duplicate-secret', message };
  else if (isReachable(admin)) yield* checkStrength(token, path);
}
