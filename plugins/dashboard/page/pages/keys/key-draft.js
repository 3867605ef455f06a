/** @import { Key } from '../../data/keys.js' */
/** @import { DraftLimit } from '../../data/limits.js' */
import { readHostedTools, readList, writeHostedTools } from '../../data/keys.js';
import { draftLimit, writeLimit } from '../../data/limits.js';

/** A key while it is edited, as the form has it: text. */
export const emptyDraft = {
  name: '',
  organization: '',
  project: '',
  owner: '',
  models: '',
  inheritsLimits: true,
  limits: /** @type {readonly DraftLimit[]} */ ([]),
  expires: '',
  losses: '',
  vendorState: '',
  costHeaders: '',
  hostedTools: '',
  tags: '',
  metadata: '',
};
/** @typedef {typeof emptyDraft} Draft */

/** `name=value`, one on each line. @param {Readonly<Record<string, string>> | undefined} pairs */
const writePairs = (pairs = {}) =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join('\n');

/** @param {string} text */
const readPairs = (text) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf('=');
        return at === -1 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );

/** @param {Key} key @returns {Draft} */
export const draftOf = (key) => ({
  name: key.name,
  organization: key.organization,
  project: key.project,
  owner: key.owner ?? '',
  models: key.models.join('\n'),
  inheritsLimits: key.limits === undefined,
  limits: (key.limits ?? []).map(draftLimit),
  expires: key.expiresAt?.slice(0, 10) ?? '',
  losses: key.losses ?? '',
  vendorState: key.vendorState ?? '',
  costHeaders: key.costHeaders ?? '',
  hostedTools: writeHostedTools(key.hostedTools),
  tags: writePairs(key.tags),
  metadata: writePairs(key.metadata),
});

/** The settings of a draft; those that are not set are undefined. @param {Draft} draft */
const settingsOf = (draft) => {
  const [tags, metadata] = [readPairs(draft.tags), readPairs(draft.metadata)];
  /** @param {string} text */
  const orUndefined = (text) => (text === '' ? undefined : text);
  return {
    owner: orUndefined(draft.owner.trim()),
    models: readList(draft.models),
    limits: draft.inheritsLimits ? undefined : draft.limits.map(writeLimit),
    losses: orUndefined(draft.losses),
    vendorState: orUndefined(draft.vendorState),
    costHeaders: orUndefined(draft.costHeaders),
    hostedTools: readHostedTools(draft.hostedTools),
    tags: Object.keys(tags).length === 0 ? undefined : tags,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  };
};

/** The body of `POST /admin/keys`. @param {Draft} draft */
export const writeNew = (draft) => ({
  name: draft.name.trim(),
  organization: draft.organization.trim(),
  project: draft.project.trim(),
  ...settingsOf(draft),
  ...(draft.expires === '' ? {} : { expires: draft.expires }),
});

/**
 * The keys of `POST /admin/keys/bulk`: one for each line of the name. A line can name another project,
 * `organization/project/name`.
 * @param {Draft} draft
 */
export const writeSeveral = (draft) =>
  draft.name
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', project = draft.project, organization = draft.organization] = line.split('/').toReversed();
      return writeNew({ ...draft, name, project, organization });
    });

/**
 * The body of `PATCH /admin/keys/{id}`: what differs, and null for what was removed.
 * @param {Key} key
 * @param {Draft} draft
 */
export const writeChange = (key, draft) => {
  const before = draftOf(key);
  const [old, now] = [settingsOf(before), settingsOf(draft)];
  const settings = /** @type {(keyof typeof now)[]} */ (Object.keys(now))
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => [name, now[name] ?? null]);
  return {
    ...(draft.name === key.name ? {} : { name: draft.name.trim() }),
    ...(draft.expires === before.expires ? {} : { expiresAt: draft.expires === '' ? null : draft.expires }),
    ...Object.fromEntries(settings),
  };
};
