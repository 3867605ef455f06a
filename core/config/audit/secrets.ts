import { describePath } from '../describe-path.ts';
import { maskUrlSecrets } from '../secrets/mask-secrets.ts';
import { isPem } from '../resolve/read-pem.ts';
import type { Finding, Path } from '../problem.ts';
import { collectTexts, isArgument, isSecretPath } from '../secrets/secret-paths.ts';
import type { Check, CheckContext } from '../checks/check.ts';
import { collectSecrets, MIN_SECRET } from '../checks/values/short-secrets.ts';

/** Such a setting is usually the path of a file. */
const isPemPath = ([section, , name]: Path, value: string): boolean =>
  section === 'providers' && name === 'tls' && !isPem(value);

const isFallback = (substitution: ReturnType<CheckContext['substitutionsOf']>[number]): boolean =>
  'fallback' in substitution && substitution.fallback !== undefined && substitution.fallback !== '';

/**
 * Configuration files are copied, committed and displayed, so a secret belongs in a variable or in a file of its own.
 */
export const auditClearSecrets: Check = ({ data, isWritten, substitutionsOf }) =>
  collectTexts(data).flatMap(([path, value]): readonly Finding[] => {
    // A password in a URL is a secret in any setting.
    if (isPemPath(path, value) || isArgument(path)) return [];
    if (value === '' || !(isSecretPath(path) || maskUrlSecrets(value) !== value) || !isWritten(path)) return [];
    const substitutions = substitutionsOf(path);
    if (substitutions.length === 0)
      return [
        {
          path,
          rule: 'secret-in-clear',
          message:
            `${describePath(path)} contains a secret in clear text. ` +
            `Read it from a variable, "\${NAME}", or a file, "\${file:/run/secrets/name}".`,
        },
      ];
    return substitutions.some(isFallback)
      ? [
          {
            path,
            rule: 'secret-in-clear',
            message:
              `The default of the variable in ${describePath(path)} is a secret in clear text. ` +
              'Remove the default, or leave it empty.',
          },
        ]
      : [];
  });

/** 128 random bits take 22 letters and digits. */
const MIN_LENGTH = 22;

/** Shorter ones than MIN_SECRET are reported by every check. */
export const auditShortSecrets: Check = ({ data }) =>
  collectSecrets(data)
    .filter(({ length }) => length >= MIN_SECRET && length < MIN_LENGTH)
    .map(({ path }): Finding => ({
      path,
      rule: 'short-secret',
      message:
        `${describePath(path)} has fewer than ${MIN_LENGTH} characters and could be guessed. ` +
        'Create a random one with: openssl rand -hex 32',
    }));
