import { describePath } from '../../describe-path.ts';
import type { Finding } from '../../problem.ts';
import { parseDuration } from '../../units/duration.ts';
import type { CheckContext } from '../check.ts';
import { createPatternCheck } from '../patterns.ts';
import { unknownReference } from '../references.ts';
import { entries, member, names, text } from '../tolerant.ts';

const PATH = ['admin', 'personalKeys'] as const;

/** A year is more than a key of a person should last, and a `Date` has an end. */
const LONGEST_DAYS = 400;
const DAY_MS = 86_400_000;

/** People sign in with `oidc`. A project that is misspelt would have none of the limits that its operator set. */
export function* checkPersonalKeys(context: CheckContext): Iterable<Finding> {
  const admin = member(context.data, 'admin');
  const settings = member(admin, 'personalKeys');
  if (settings === undefined) return;
  if (member(admin, 'oidc') === undefined) {
    const message = 'admin.personalKeys needs admin.oidc: only people who sign in can have keys of their own.';
    yield { path: PATH, on: 'key', rule: 'missing-key', message };
  }
  const lifetime = text(member(settings, 'maxLifetime'));
  const days = lifetime === undefined ? 1 : parseDuration(lifetime) / DAY_MS;
  if (!(days > 0 && days <= LONGEST_DAYS)) {
    const path = [...PATH, 'maxLifetime'];
    const message = `${describePath(path)} must be above 0s and at most ${LONGEST_DAYS}d.`;
    yield { path, rule: 'out-of-range', message };
  }
  const projects = new Set(
    entries(member(context.data, 'organizations')).flatMap(([organization, own]) =>
      [...names(member(own, 'projects'))].map((project) => `${organization}/${project}`),
    ),
  );
  for (const [value, project] of entries(member(settings, 'projects')))
    if (typeof project === 'string' && !projects.has(project))
      yield unknownReference(context, [...PATH, 'projects', value], project, projects, 'project');
  yield* createPatternCheck(context)(member(settings, 'models'), [...PATH, 'models']);
}
