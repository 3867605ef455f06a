import { hash } from 'node:crypto';
import { describePath } from '../describe-path.ts';
import { MAX_TAGS } from '../units/tags.ts';
import { isTime, parseExpiry } from '../units/expiry.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { createPatternCheck } from './patterns.ts';
import { collectOnce, entries, member, names, text } from './tolerant.ts';

export interface FoundKey {
  readonly path: Path;
  readonly key: unknown;
}

/** Every key of the file. */
export const collectKeys = collectOnce((data): readonly FoundKey[] =>
  entries(member(data, 'organizations')).flatMap(([organization, settings]) =>
    entries(member(settings, 'projects')).flatMap(([project, content]) =>
      entries(member(content, 'keys')).map(([name, key]) => ({
        path: ['organizations', organization, 'projects', project, 'keys', name],
        key,
      })),
    ),
  ),
);

/** Each key must have either a secret or the digest of one. */
export const checkSecrets: Check = ({ data }) =>
  collectKeys(data).flatMap(({ path, key }): readonly Finding[] => {
    const given = ['key', 'sha256'].filter((name) => member(key, name) !== undefined);
    if (given.length === 1 && !/^sha256:/i.test(text(member(key, 'key')) ?? '')) return [];
    if (given.length === 1)
      return [
        {
          path: [...path, 'key'],
          rule: 'digest-as-secret',
          message:
            `${describePath([...path, 'key'])} is a digest, which would itself become the secret. ` +
            'Write it as "sha256", without the prefix.',
        },
      ];
    const how = typeof key === 'string' ? ' Write this text as { key: … }.' : '';
    return given.length === 0
      ? [{ path, on: 'key', rule: 'missing-secret', message: `${describePath(path)} needs "key" or "sha256".${how}` }]
      : [
          {
            path: [...path, 'sha256'],
            on: 'key',
            rule: 'ambiguous-secret',
            message: `${describePath(path)} has both "key" and "sha256". Remove one of them.`,
          },
        ];
  });

/** Digests need a secret: the name of a user, such as an e-mail address, could be guessed from a plain digest. */
export const checkAttribution: Check = ({ data }) => {
  const attribution = member(data, 'attribution');
  if (member(attribution, 'user') !== 'hash' || member(attribution, 'secret') !== undefined) return [];
  return [
    {
      path: ['attribution'],
      on: 'key',
      rule: 'missing-key',
      message:
        'attribution needs "secret", the key of the digests of end users: plain digests of e-mail addresses could be ' +
        'guessed. Write secret: "${ATTRIBUTION_SECRET}", with 16 characters or more.',
    },
  ];
};

/** The tags of a project count for each of its keys. */
export const checkTags: Check = ({ data }) =>
  entries(member(data, 'organizations')).flatMap(([organization, settings]) =>
    entries(member(settings, 'projects')).flatMap(([project, content]) =>
      entries(member(content, 'keys')).flatMap(([name, key]): readonly Finding[] => {
        const own = names(member(key, 'tags'));
        const count = own.union(names(member(content, 'tags'))).size;
        if (count <= MAX_TAGS || own.size > MAX_TAGS) return [];
        const path = ['organizations', organization, 'projects', project, 'keys', name, 'tags'];
        const together = `with those of its project they are ${count}, and a request can have ${MAX_TAGS}.`;
        return [{ path, rule: 'out-of-range', message: `${describePath(path)} has too many tags: ${together}` }];
      }),
    ),
  );

const digestOf = (key: unknown): string | undefined => {
  const secret = text(member(key, 'key'));
  return secret === undefined ? text(member(key, 'sha256'))?.toLowerCase() : hash('sha256', secret);
};

/** If two keys had one secret, the identity of the caller would depend on their order. */
export const checkDuplicateSecrets: Check = ({ data }) => {
  const first = new Map<string, Path>();
  return collectKeys(data).flatMap(({ path, key }): readonly Finding[] => {
    const digest = digestOf(key);
    if (digest === undefined) return [];
    const earlier = first.get(digest);
    if (earlier !== undefined)
      return [
        {
          path,
          on: 'key',
          rule: 'duplicate-secret',
          message: `${describePath(path)} has the same secret as ${describePath(earlier)}. Give each key its own.`,
        },
      ];
    first.set(digest, path);
    return [];
  });
};

/** The models of a key must exist. */
export const checkKeyModels: Check = (context) => {
  const check = createPatternCheck(context);
  return collectKeys(context.data).flatMap(({ path, key }) => check(member(key, 'models'), [...path, 'models']));
};

/** An expiry must be a date that exists. */
export const checkExpiry: Check = ({ data }) =>
  collectKeys(data).flatMap(({ path, key }): readonly Finding[] => {
    const expires = text(member(key, 'expires'));
    return expires !== undefined && /^\d{4}-\d{2}-\d{2}/.test(expires) && !isTime(expires)
      ? [
          {
            path: [...path, 'expires'],
            rule: 'invalid-value',
            message: `${describePath([...path, 'expires'])} is not a valid date or time.`,
          },
        ]
      : [];
  });

/** Reported because the owner of the key may not know. */
export const checkPastExpiry: Check = ({ data }) =>
  collectKeys(data).flatMap(({ path, key }): readonly Finding[] => {
    const expires = text(member(key, 'expires'));
    return expires !== undefined && isTime(expires) && parseExpiry(expires) <= Date.now()
      ? [
          {
            path: [...path, 'expires'],
            severity: 'warning',
            rule: 'expired-key',
            message: `${describePath(path)} has expired, so the key is refused. Set a later date, or remove the key.`,
          },
        ]
      : [];
  });
