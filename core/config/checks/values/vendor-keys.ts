import { redactKeys } from '../../../canonical/text/redact.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding } from '../../problem.ts';
import { collectTexts, isOption, isSecretPath } from '../../secrets/secret-paths.ts';
import type { Check } from '../check.ts';
import { member } from '../tolerant.ts';

/** Keys of vendors are longer; examples are shorter. */
const SHORTEST = 30;

/**
 * A vendor's key in the file itself is copied, committed and shown with it. It is found by the prefix that vendors give
 * their keys; `koine check --audit` finds every secret.
 */
export const checkVendorKeys: Check = ({ data, isWritten, substitutionsOf }) =>
  collectTexts({ providers: member(data, 'providers') }).flatMap(([path, value]): readonly Finding[] => {
    if (!isOption(path) || !isSecretPath(path) || value.length < SHORTEST) return [];
    if (redactKeys(value) === value || !isWritten(path) || substitutionsOf(path).length > 0) return [];
    return [
      {
        path,
        severity: 'warning',
        rule: 'secret-in-clear',
        message:
          `${describePath(path)} contains the key of a vendor in clear text. ` +
          'Read it from a variable, "${NAME}", or a file, "${file:/run/secrets/name}".',
      },
    ];
  });
