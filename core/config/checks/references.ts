import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { describeReference } from '../hints/reference.ts';
import type { CheckContext } from './check.ts';

/** The finding for a reference to a name that does not exist. */
export const unknownReference = (
  context: CheckContext,
  path: Path,
  name: string,
  known: Iterable<string>,
  what: 'provider' | 'model' | 'wire' | 'project',
): Finding => ({
  path,
  rule: `unknown-${what}`,
  message: context.isShown(path)
    ? `There is no ${what} ${JSON.stringify(name)}.${describeReference(context, what, name, known)}`
    : `The value of ${describePath(path)} is not the name of a ${what}.`,
});
