import { describePath } from '../../describe-path.ts';
import type { Finding } from '../../problem.ts';
import { parseDuration } from '../../units/duration.ts';
import type { Check } from '../check.ts';
import { createPatternCheck } from '../patterns.ts';
import { unknownReference } from '../references.ts';
import { entries, member, names, text } from '../tolerant.ts';

const PATH = ['admin', 'personalKeys'] as const;

/** A year is more than a key of a person should last, and a `Date` has an end. */
const LONGEST_DAYS = 400;
const DAY_MS = 86_400_000;

const findLifetime = (lifetime: string | undefined): readonly Finding[] => {
  const days = lifetime === undefined ? 1 : parseDuration(lifetime) / DAY_MS;
  const path = [...PATH, 'maxLifetime'];
  return days > 0 && days <= LONGEST_DAYS
    ? []
    : [{ path, rule: 'out-of-range', message: `${describePath(path)} must be above 0s and at most ${LONGEST_DAYS}d.` }];
};

/** People sign in with `oidc`. A project that is misspelt would have none of the limits that its operator set. */
export const checkPersonalKeys: Check = (context) => {
  const admin = member(context.data, 'admin');
  const settings = member(admin, 'personalKeys');
  if (settings === undefined) return [];
  const projects = new Set(
    entries(member(context.data, 'organizations')).flatMap(([organization, own]) =>
      [...names(member(own, 'projects'))].map((project) => `${organization}/${project}`),
    ),
  );
  const withoutSignIn: readonly Finding[] =
    member(admin, 'oidc') !== undefined
      ? []
      : [
          {
            path: PATH,
            on: 'key',
            rule: 'missing-key',
            message: 'admin.personalKeys needs admin.oidc: only people who sign in can have keys of their own.',
          },
        ];
  return [
    ...withoutSignIn,
    ...findLifetime(text(member(settings, 'maxLifetime'))),
    ...entries(member(settings, 'projects')).flatMap(([value, project]) =>
      typeof project === 'string' && !projects.has(project)
        ? [unknownReference(context, [...PATH, 'projects', value], project, projects, 'project')]
        : [],
    ),
    ...createPatternCheck(context)(member(settings, 'models'), [...PATH, 'models']),
  ];
};
