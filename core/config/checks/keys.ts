import { hash } from 'node:crypto';
import { describePath } from '../describe-path.ts';
import { MAX_TAGS } from '../units/tags.ts';
import { isTime, parseExpiry } from '../units/expiry.ts';
import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
import { createPatternCheck } from './patterns.ts';
import { collectOnce, entries, member, names, text } from './tolerant.ts';

interface FoundKey {
  readonly path: Path;
  readonly key: unknown;
  /** Of the key. */
  readonly project: unknown;
}

/** Every key of the file. */
export const collectKeys = collectOnce((data): readonly FoundKey[] =>
  entries(member(data, 'organizations')).flatMap(([organization, settings]) =>
    entries(member(settings, 'projects')).flatMap(([name, project]) =>
      entries(member(project, 'keys')).map(([key, content]) => ({
        path: ['organizations', organization, 'projects', name, 'keys', key],
        key: content,
        project,
      })),
    ),
  ),
);

/** Each key must have either a secret or the digest of one. */
export function* checkSecrets({ data }: CheckContext): Iterable<Finding> {
  for (const { path, key } of collectKeys(data)) {
    const given = ['key', 'sha256'].filter((name) => member(key, name) !== undefined);
    if (given.length === 0) {
      const how = typeof key === 'string' ? ' Write this text as { key: … }.' : '';
      const message = `${describePath(path)} needs "key" or "sha256".${how}`;
      yield { path, on: 'key', rule: 'missing-secret', message };
    } else if (given.length === 2) {
      const message = `${describePath(path)} has both "key" and "sha256". Remove one of them.`;
      yield { path: [...path, 'sha256'], on: 'key', rule: 'ambiguous-secret', message };
    } else if (/^sha256:/i.test(text(member(key, 'key')) ?? '')) {
      const at = [...path, 'key'];
      const message =
        `${describePath(at)} is a digest, which would itself become the secret. ` +
        'Write it as "sha256", without the prefix.';
      yield { path: at, rule: 'digest-as-secret', message };
    }
  }
}

/** Digests need a secret: the name of a user, such as an e-mail address, could be guessed from a plain digest. */
export function* checkAttribution({ data }: CheckContext): Iterable<Finding> {
  const attribution = member(data, 'attribution');
  if (member(attribution, 'user') !== 'hash' || member(attribution, 'secret') !== undefined) return;
  const message =
    'attribution needs "secret", the key of the digests of end users: plain digests of e-mail addresses could be ' +
    'guessed. Write secret: "${ATTRIBUTION_SECRET}", with 16 characters or more.';
  yield { path: ['attribution'], on: 'key', rule: 'missing-key', message };
}

/** The tags of a project count for each of its keys. */
export function* checkTags({ data }: CheckContext): Iterable<Finding> {
  for (const { path, key, project } of collectKeys(data)) {
    const own = names(member(key, 'tags'));
    const count = own.union(names(member(project, 'tags'))).size;
    if (count <= MAX_TAGS || own.size > MAX_TAGS) continue;
    const at = [...path, 'tags'];
    const together = `with those of its project they are ${count}, and a request can have ${MAX_TAGS}.`;
    yield { path: at, rule: 'out-of-range', message: `${describePath(at)} has too many tags: ${together}` };
  }
}

const digestOf = (key: unknown): string | undefined => {
  const secret = text(member(key, 'key'));
  return secret === undefined ? text(member(key, 'sha256'))?.toLowerCase() : hash('sha256', secret);
};

/** If two keys had one secret, the identity of the caller would depend on their order. */
export function* checkDuplicateSecrets({ data }: CheckContext): Iterable<Finding> {
  const first = new Map<string, Path>();
  for (const { path, key } of collectKeys(data)) {
    const digest = digestOf(key);
    if (digest === undefined) continue;
    const earlier = first.get(digest);
    first.set(digest, earlier ?? path);
    if (earlier === undefined) continue;
    const message = `${describePath(path)} has the same secret as ${describePath(earlier)}. Give each key its own.`;
    yield { path, on: 'key', rule: 'duplicate-secret', message };
  }
}

/** The models of a key must exist. */
export function* checkKeyModels(context: CheckContext): Iterable<Finding> {
  const check = createPatternCheck(context);
  for (const { path, key } of collectKeys(context.data)) yield* check(member(key, 'models'), [...path, 'models']);
}

/** An expiry must be a date that exists. One in the past is reported because the owner of the key may not know. */
export function* checkExpiry({ data }: CheckContext): Iterable<Finding> {
  for (const { path: key, key: settings } of collectKeys(data)) {
    const path = [...key, 'expires'];
    const expires = text(member(settings, 'expires'));
    if (expires === undefined) continue;
    if (!isTime(expires)) {
      const message = `${describePath(path)} is not a valid date or time.`;
      if (/^\d{4}-\d{2}-\d{2}/.test(expires)) yield { path, rule: 'invalid-value', message };
    } else if (parseExpiry(expires) <= Date.now()) {
      const message = `${describePath(key)} has expired, so the key is refused. Set a later date, or remove the key.`;
      yield { path, severity: 'warning', rule: 'expired-key', message };
    }
  }
}

/** What the gateway does not know at a provider could be another organization's. */
export function* checkSharedState({ data }: CheckContext): Iterable<Finding> {
  const organizations = entries(member(data, 'organizations'));
  if (member(data, 'vendorState') !== 'allow' || organizations.length < 2) return;
  const message =
    `vendorState: allow lets each of the ${organizations.length} organizations use files, caches and ` +
    'conversations of the others at a provider. Remove it, or set it on the routes or keys that may share them.';
  yield { path: ['vendorState'], severity: 'error', rule: 'shared-vendor-state', message };
}
