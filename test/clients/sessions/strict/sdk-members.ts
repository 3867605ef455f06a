import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tools/release/lockfile.ts';

/** The members of an interface in the type definitions of an SDK. */
export function membersOf(file: string, name: string): ReadonlySet<string> {
  const text = readFileSync(join(root, 'node_modules', file), 'utf8');
  const body = text.split(`export interface ${name} {\n`)[1]?.split('\n}')[0] ?? '';
  const members = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, member = '']) => member);
  if (members.length === 0) throw new Error(`${file} has no interface ${name}`);
  return new Set(members);
}

/** The first member that is not known. */
export const findUnknown = (value: object, known: ReadonlySet<string>): string | undefined =>
  Object.keys(value).find((member) => !known.has(member));
