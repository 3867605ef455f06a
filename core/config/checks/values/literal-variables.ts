import { describePath } from '../../describe-path.ts';
import type { Finding } from '../../problem.ts';
import { collectTexts, isSecretPath } from '../../secrets/secret-paths.ts';
import type { Check } from '../check.ts';

/**
 * Other notations for variables: `$NAME` at the start or after a separator, `os.environ/NAME` and `env.NAME` of other
 * gateways. Only capital letters: `$` can also be a part of a password or of a pattern.
 */
const NOTATION =
  /(?:^|[\s/:@=])\$([A-Z][A-Z0-9_]{2,})(?![A-Za-z0-9_])|^os\.environ\/(\w+)$|^env\.([A-Z][A-Z0-9_]{2,})$/;

export const isLiteralVariable = (value: string): boolean => NOTATION.test(value);

/** A variable in another notation would be used as it is written. */
export const checkLiteralVariables: Check = ({ data, isWritten, substitutionsOf }) =>
  collectTexts(data, isLiteralVariable).flatMap(([path, value]): readonly Finding[] => {
    const found = NOTATION.exec(value);
    if (found === null || substitutionsOf(path).length > 0 || !isWritten(path)) return [];
    const name = isSecretPath(path) ? 'NAME' : (found[1] ?? found[2] ?? found[3]);
    return [
      {
        path,
        severity: 'warning',
        rule: 'literal-variable',
        message:
          `${describePath(path)} would be used as it is written: a variable has braces here. ` +
          `Write "\${${name}}", or "\${${name}:-}" if it can be unset.`,
      },
    ];
  });
