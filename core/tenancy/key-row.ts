import { isObject } from '../canonical/json/members.ts';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { KeyChange, KeyRequest } from '../config/validate/read-key.ts';
import { isHostedToolsSetting } from '../config/validate/hosted-tools.ts';
import type { HostedToolsSetting, KeyRecord } from '../contracts/caller.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { parseJson } from '../framing/json.ts';
import type { KeysTable } from '../services/database/schema.ts';
import type { NewKey } from './key-format.ts';
import { callerOf, type Rights } from './rights.ts';
import { isLimit } from './stored-limit.ts';

/** A key to be stored, without its secret. */
export interface KeyEntry extends KeyRequest {
  readonly key: Omit<NewKey, 'text'>;
  /** Issuer and subject of the person who has made it. */
  readonly ownerId?: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A stored key, as operators see it. */
export interface StoredKey extends Omit<KeyEntry, 'key'> {
  readonly id: string;
  readonly prefix: string;
  readonly disabled: boolean;
  /** Disabled permanently. */
  readonly revoked: boolean;
  /** Unix milliseconds. */
  readonly revokedAt?: number;
}

/** The values of the column `disabled`. Versions without `disabled` refuse a key with any value but 0. */
export const states = { valid: 0, revoked: 1, disabled: 2 } as const;

const writeJson = (value: object | null | undefined): string | null | undefined => value && JSON.stringify(value);

/** A policy is stored as it is, a list or an object as JSON: versions that only know policies refuse such a key. */
const writeHostedTools = (setting: HostedToolsSetting | null | undefined): string | null | undefined =>
  typeof setting === 'object' ? writeJson(setting) : setting;

/** The columns of the settings that a change has. With another owner, the key is not the person's own any more. */
export const writeChange = ({ models, expiresAt, disabled, ...change }: KeyChange): Partial<KeysTable> =>
  omitUndefined({
    name: change.name,
    models: models === null ? '[]' : (writeJson(models) ?? undefined),
    limits: writeJson(change.limits),
    losses: change.losses,
    vendor_state: change.vendorState,
    cost_headers: change.costHeaders,
    hosted_tools: writeHostedTools(change.hostedTools),
    tags: writeJson(change.tags),
    metadata: writeJson(change.metadata),
    owner: change.owner,
    owner_id: change.owner === undefined ? undefined : null,
    expires_at: expiresAt,
    disabled: disabled === undefined ? undefined : disabled ? states.disabled : states.valid,
  });

export const writeRow = (entry: KeyEntry): KeysTable => ({
  id: entry.key.id,
  name: entry.name,
  digest: entry.key.digest,
  prefix: entry.key.prefix,
  organization: entry.organization,
  project: entry.project,
  models: '[]',
  disabled: states.valid,
  created_at: entry.createdAt,
  expires_at: null,
  limits: null,
  losses: null,
  vendor_state: null,
  cost_headers: null,
  hosted_tools: null,
  tags: null,
  metadata: null,
  owner: null,
  revoked_at: null,
  ...writeChange(entry),
  owner_id: entry.ownerId ?? null,
});

/** A key, and the user of the directory to whom its person is tied. */
export interface OwnedKeyRow extends KeysTable {
  readonly scim_user: string | null;
  readonly scim_active: number | null;
}

/**
 * A key is disabled as long as the user of its person is inactive or deleted.
 * @throws GatewayError `KOINE_STORE_FAILED` when the rights of the key cannot be read
 */
export const readRecord = (row: OwnedKeyRow): KeyRecord => ({
  caller: callerOf(
    omitUndefined({
      name: row.name,
      organization: row.organization,
      project: row.project,
      owner: row.owner ?? undefined,
      ownerId: row.owner_id ?? undefined,
      ...readRights(row),
    }),
  ),
  digest: row.digest,
  disabled: row.disabled !== states.valid || (row.scim_user !== null && row.scim_active !== 1),
  ...(row.owner_id !== null && row.scim_user === null ? { unprovisioned: true } : {}),
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
});

/** @throws as {@link readRecord} */
export const readStoredKey = (row: KeysTable): StoredKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  organization: row.organization,
  project: row.project,
  ...readRights(row),
  ...(row.metadata === null ? {} : { metadata: readTexts(row, 'metadata', row.metadata) }),
  ...(row.owner === null ? {} : { owner: row.owner }),
  ...(row.owner_id === null ? {} : { ownerId: row.owner_id }),
  disabled: row.disabled !== states.valid,
  revoked: row.disabled === states.revoked,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  createdAt: row.created_at,
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
});

/** Fails on invalid columns. Treated as absent, they would allow every model, any usage and any loss. */
const readRights = (row: KeysTable): Rights => {
  const { limits, losses, vendor_state: vendorState, cost_headers: costHeaders, hosted_tools: tools, tags } = row;
  return omitUndefined({
    models: readList(row, 'models', row.models, isText, 'texts'),
    limits: limits === null ? undefined : readList(row, 'limits', limits, isLimit, 'limits'),
    losses: losses === null ? undefined : readWord(row, 'losses', losses, ['allow', 'warn', 'reject']),
    vendorState:
      vendorState === null ? undefined : readWord(row, 'vendor_state', vendorState, ['allow', 'owned', 'refuse']),
    costHeaders: costHeaders === null ? undefined : readWord(row, 'cost_headers', costHeaders, ['off', 'on']),
    hostedTools: tools === null ? undefined : readHostedTools(row, tools),
    tags: tags === null ? undefined : readTexts(row, 'tags', tags),
  });
};

const readList = <T>(
  row: KeysTable,
  column: string,
  json: string,
  isItem: (item: unknown) => item is T,
  what: string,
): readonly T[] => {
  const list = parseJson(json);
  if (Array.isArray(list) && list.every(isItem)) return list;
  throw fail(row, column, `are not a JSON array of ${what}`);
};

const isText = (item: unknown): item is string => typeof item === 'string';

const readTexts = (row: KeysTable, column: string, json: string): Readonly<Record<string, string>> => {
  const texts = parseJson(json);
  if (isObject(texts) && Object.values(texts).every(isText)) return texts as Readonly<Record<string, string>>;
  throw fail(row, column, 'are not a JSON object of texts');
};

const readWord = <const T extends string>(row: KeysTable, column: string, word: string, words: readonly T[]): T => {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  throw fail(row, column, `are not ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
};

const readHostedTools = (row: KeysTable, text: string): HostedToolsSetting => {
  const setting = text.startsWith('[') || text.startsWith('{') ? parseJson(text) : text;
  if (isHostedToolsSetting(setting)) return setting;
  throw fail(row, 'hosted_tools', 'are not drop, refuse, a list of tools, or an object with allow and otherwise');
};

const fail = ({ prefix }: KeysTable, column: string, what: string): GatewayError =>
  new GatewayError('KOINE_STORE_FAILED', `The ${column} of the key ${prefix} in the database ${what}.`);
