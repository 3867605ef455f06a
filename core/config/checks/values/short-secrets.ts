import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import type { Check, CheckContext } from '../check.ts';
import { collectKeys } from '../keys.ts';
import { member, text } from '../tolerant.ts';
import { isLiteralVariable } from './literal-variables.ts';

/** 64 random bits in hexadecimal digits. */
export const MIN_SECRET = 16;

/** The secrets by which callers and operators are known. What looks like the name of a variable has its own finding. */
export const collectSecrets = (
  data: CheckContext['data'],
): readonly { readonly path: Path; readonly length: number }[] =>
  [
    { path: ['admin', 'token'], secret: text(member(member(data, 'admin'), 'token')) },
    ...collectKeys(data).map(({ path, key }) => ({ path: [...path, 'key'], secret: text(member(key, 'key')) })),
  ].flatMap(({ path, secret }) =>
    secret === undefined || isLiteralVariable(secret) ? [] : [{ path, length: secret.length }],
  );

/** A caller can guess as often as the throttle allows. */
export const checkShortSecrets: Check = ({ data }) =>
  collectSecrets(data)
    .filter(({ length }) => length < MIN_SECRET)
    .map(({ path, length }): Finding => ({
      path,
      severity: 'warning',
      rule: 'short-secret',
      message:
        `${describePath(path)} has ${length} ${length === 1 ? 'character' : 'characters'}, so it can be guessed. ` +
        `It should have at least ${MIN_SECRET}. Create a random one with: openssl rand -hex 32`,
    }));
