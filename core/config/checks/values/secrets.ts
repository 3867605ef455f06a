import { redactKeys } from '../../../canonical/text/redact.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import { collectTexts, isOption, isSecretPath } from '../../secrets/secret-paths.ts';
import type { CheckContext } from '../check.ts';
import { collectKeys } from '../keys.ts';
import { member, text } from '../tolerant.ts';

/**
 * Other notations for variables: `$NAME` at the start or after a separator, `os.environ/NAME` and `env.NAME` of other
 * gateways. Only capital letters: `$` can also be a part of a password or of a pattern.
 */
const NOTATION =
  /(?:^|[\s/:@=])\$([A-Z][A-Z0-9_]{2,})(?![A-Za-z0-9_])|^os\.environ\/(\w+)$|^env\.([A-Z][A-Z0-9_]{2,})$/;

const isLiteralVariable = (value: string): boolean => NOTATION.test(value);

/** A variable in another notation would be used as it is written. */
export function* checkLiteralVariables({ data, isWritten, substitutionsOf }: CheckContext): Iterable<Finding> {
  for (const [path, value] of collectTexts(data, isLiteralVariable)) {
    if (substitutionsOf(path).length > 0 || !isWritten(path)) continue;
    const [, ...names] = NOTATION.exec(value) ?? [];
    const name = isSecretPath(path) ? 'NAME' : names.find((each) => each !== undefined);
    const message =
      `${describePath(path)} would be used as it is written: a variable has braces here. ` +
      `Write "\${${name}}", or "\${${name}:-}" if it can be unset.`;
    yield { path, severity: 'warning', rule: 'literal-variable', message };
  }
}

/** 64 random bits in hexadecimal digits. */
export const MIN_SECRET = 16;

/** The secrets by which callers and operators are known. What looks like the name of a variable has its own finding. */
export const collectSecrets = (data: unknown): readonly { readonly path: Path; readonly length: number }[] =>
  [
    { path: ['admin', 'token'], secret: text(member(member(data, 'admin'), 'token')) },
    ...collectKeys(data).map(({ path, key }) => ({ path: [...path, 'key'], secret: text(member(key, 'key')) })),
  ].flatMap(({ path, secret }) =>
    secret === undefined || isLiteralVariable(secret) ? [] : [{ path, length: secret.length }],
  );

/** A caller can guess as often as the throttle allows. */
export function* checkShortSecrets({ data }: CheckContext): Iterable<Finding> {
  for (const { path, length } of collectSecrets(data)) {
    if (length >= MIN_SECRET) continue;
    const message =
      `${describePath(path)} has ${length} ${length === 1 ? 'character' : 'characters'}, so it can be guessed. ` +
      `It should have at least ${MIN_SECRET}. Create a random one with: openssl rand -hex 32`;
    yield { path, severity: 'warning', rule: 'short-secret', message };
  }
}

/** Keys of vendors are longer; examples are shorter. */
const SHORTEST = 30;

/**
 * A vendor's key in the file itself is copied, committed and shown with it. It is found by the prefix that vendors give
 * their keys; `koine check --audit` finds every secret.
 */
export function* checkVendorKeys({ data, isWritten, substitutionsOf }: CheckContext): Iterable<Finding> {
  for (const [path, value] of collectTexts({ providers: member(data, 'providers') })) {
    if (!isOption(path) || !isSecretPath(path) || value.length < SHORTEST) continue;
    if (redactKeys(value) === value || !isWritten(path) || substitutionsOf(path).length > 0) continue;
    const message =
      `${describePath(path)} contains the key of a vendor in clear text. ` +
      'Read it from a variable, "${NAME}", or a file, "${file:/run/secrets/name}".';
    yield { path, severity: 'warning', rule: 'secret-in-clear', message };
  }
}
