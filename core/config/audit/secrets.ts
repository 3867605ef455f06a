import { describePath } from '../describe-path.ts';
import { maskUrlSecrets } from '../secrets/mask-secrets.ts';
import { isPem } from '../resolve/read-pem.ts';
import type { Finding, Path } from '../problem.ts';
import type { Substitution } from '../read/interpolate.ts';
import { collectTexts, isArgument, isSecretPath } from '../secrets/secret-paths.ts';
import type { CheckContext } from '../checks/check.ts';
import { collectSecrets, MIN_SECRET } from '../checks/values/secrets.ts';

/** Such a setting is usually the path of a file. */
const isPemPath = ([section, , name]: Path, value: string): boolean =>
  section === 'providers' && name === 'tls' && !isPem(value);

const isFallback = (substitution: Substitution): boolean =>
  'fallback' in substitution && substitution.fallback !== undefined && substitution.fallback !== '';

/**
 * Configuration files are copied, committed and displayed, so a secret belongs in a variable or in a file of its own.
 */
export function* auditClearSecrets({ data, isWritten, substitutionsOf }: CheckContext): Iterable<Finding> {
  for (const [path, value] of collectTexts(data)) {
    // A password in a URL is a secret in any setting.
    if (isPemPath(path, value) || isArgument(path)) continue;
    if (value === '' || !(isSecretPath(path) || maskUrlSecrets(value) !== value) || !isWritten(path)) continue;
    const substitutions = substitutionsOf(path);
    if (substitutions.length === 0) {
      const message =
        `${describePath(path)} contains a secret in clear text. ` +
        `Read it from a variable, "\${NAME}", or a file, "\${file:/run/secrets/name}".`;
      yield { path, rule: 'secret-in-clear', message };
    } else if (substitutions.some(isFallback)) {
      const message =
        `The default of the variable in ${describePath(path)} is a secret in clear text. ` +
        'Remove the default, or leave it empty.';
      yield { path, rule: 'secret-in-clear', message };
    }
  }
}

/** 128 random bits take 22 letters and digits. */
const MIN_LENGTH = 22;

/** Shorter ones than MIN_SECRET are reported by every check. */
export function* auditShortSecrets({ data }: CheckContext): Iterable<Finding> {
  for (const { path, length } of collectSecrets(data)) {
    if (length < MIN_SECRET || length >= MIN_LENGTH) continue;
    const message =
      `${describePath(path)} has fewer than ${MIN_LENGTH} characters and could be guessed. ` +
      'Create a random one with: openssl rand -hex 32';
    yield { path, rule: 'short-secret', message };
  }
}
