import { describePath } from '../describe-path.ts';
import { maskAddress } from '../secrets/mask-secrets.ts';
import type { Finding } from '../problem.ts';
import { collectTexts, isSecretPlace } from '../secrets/secret-places.ts';
import type { Check, CheckContext } from '../checks/check.ts';
import { collectKeys } from '../checks/keys.ts';
import { member, text } from '../checks/tolerant.ts';

const isFallback = (filling: ReturnType<CheckContext['fillingsOf']>[number]): boolean =>
  'fallback' in filling && filling.fallback !== undefined && filling.fallback !== '';

/** The files of a configuration are copied, committed and shown: a secret belongs into a variable or a file of its own. */
export const auditClearSecrets: Check = ({ data, isWritten, fillingsOf }) =>
  [...collectTexts(data)].flatMap(([path, value]): readonly Finding[] => {
    // A password in an address is one wherever it stands.
    if (value === '' || !(isSecretPlace(path) || maskAddress(value) !== value) || !isWritten(path)) return [];
    const fillings = fillingsOf(path);
    if (fillings.length === 0)
      return [
        {
          path,
          rule: 'secret-in-clear',
          message: `${describePath(path)} holds a secret in clear. Keep it in a variable, "\${NAME}", or in a file, "\${file:/run/secrets/name}".`,
        },
      ];
    return fillings.some(isFallback)
      ? [
          {
            path,
            rule: 'secret-in-clear',
            message: `The default of the variable in ${describePath(path)} is a secret in clear. Leave it out, or empty.`,
          },
        ]
      : [];
  });

/** Random text of 128 bits has 22 letters and digits. */
const SHORTEST = 20;

/** Whoever calls may guess as often as the throttle lets them. */
export const auditShortSecrets: Check = ({ data }) =>
  [
    { path: ['admin', 'token'], secret: member(member(data, 'admin'), 'token') },
    ...collectKeys(data).map(({ path, key }) => ({ path: [...path, 'key'], secret: member(key, 'key') })),
  ].flatMap(({ path, secret }): readonly Finding[] =>
    (text(secret)?.length ?? SHORTEST) < SHORTEST
      ? [
          {
            path,
            rule: 'short-secret',
            message: `${describePath(path)} has fewer than ${SHORTEST} characters and could be guessed. Make a random one: openssl rand -hex 32.`,
          },
        ]
      : [],
  );
