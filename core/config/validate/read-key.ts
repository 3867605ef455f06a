import type { ErrorObject, ValidateFunction } from 'ajv';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isObject } from '../../canonical/json/members.ts';
import { redactKeys } from '../../canonical/text/redact.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Caller } from '../../contracts/caller.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { describePath } from '../describe-path.ts';
import { describeViolation } from './describe-violation.ts';
import { isTime, parseExpiry } from '../units/expiry.ts';
import { readLimits } from './read-limits.ts';
import { definitions } from '../schema/definitions.ts';
import { keySettings } from '../schema/organization.ts';
import { section, setting } from '../schema/section.ts';
import { compileSchema, readPointer } from './validate.ts';

/** What can be set of a key of the database. */
export interface KeySettings extends Omit<Caller, 'key' | 'project' | 'organization' | 'user' | 'personal'> {
  /** The person whose key it is: the end user of its requests. */
  readonly owner?: string;
  /** Notes of the operator, which the gateway only keeps. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
}

/** The settings of a key that is to be created. */
export interface KeyRequest extends KeySettings {
  readonly name: string;
  readonly organization: string;
  readonly project: string;
  /** Whether the project need not be in the configuration. It is not stored. */
  readonly allowUnknownProject?: boolean;
}

/** New settings of a key. An absent one stays as it is; null removes it. */
export type KeyChange = {
  readonly [Name in keyof KeySettings]?: Exclude<KeySettings[Name], undefined> | null;
} & { readonly name?: string; readonly disabled?: boolean };

interface Draft extends Omit<KeySettings, 'models' | 'limits' | 'expiresAt'> {
  readonly limits?: unknown;
  readonly expires?: string;
  readonly expiresAt?: string;
}
type DraftRequest = Draft & Pick<KeyRequest, 'name' | 'organization' | 'project' | 'models' | 'allowUnknownProject'>;
type DraftChange = Draft & Pick<KeyChange, 'name' | 'disabled'> & { readonly models?: readonly string[] };

const MAX_METADATA = 16;
const metadata = setting('Notes about the key, which have no effect.', {
  type: 'object',
  propertyNames: {
    type: 'string',
    pattern: '^[A-Za-z][A-Za-z0-9._-]{0,63}$',
    examples: ['owner', 'cost-center'],
  },
  additionalProperties: {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    pattern: '^\\P{Cc}*$',
    examples: ['one line of text'],
  },
  maxProperties: MAX_METADATA,
});

const owner = setting('The person whose key it is: the end user of its requests.', {
  type: 'string',
  pattern: '^[^\\p{C}]{1,128}$',
  examples: ['ann@acme.example'],
});

/** As the claims of tokens. */
const name: JsonObject = { $ref: '#/definitions/name', type: 'string', maxLength: 128 };
const { losses, vendorState, costHeaders, hostedTools, tags, disabled, expires } = keySettings;
/** `limits` accepts anything here: `readLimits` validates it. The end has the name of the file and that of the list. */
const models: JsonObject = {
  ...keySettings.models,
  items: { type: 'string', minLength: 1, maxLength: 256 },
  maxItems: 1_000,
};
const settings = {
  models,
  losses,
  vendorState,
  costHeaders,
  hostedTools,
  tags,
  metadata,
  owner,
  limits: {},
  expires,
  expiresAt: expires,
};
const withoutDefault = ({ default: _default, ...schema }: JsonObject): JsonObject => schema;

const compile = <T>(properties: JsonObject, required: readonly string[] = []): (() => ValidateFunction<T>) => {
  let compiled: ValidateFunction<T> | undefined;
  const schema = { ...section('A key.', properties, required), definitions: { name: definitions['name'] } };
  return () => (compiled ??= compileSchema<T>(schema));
};
const ofRequest = compile<DraftRequest>(
  {
    name,
    organization: { ...name, default: 'default' },
    project: { ...name, default: 'default' },
    allowUnknownProject: { type: 'boolean' },
    ...settings,
  },
  ['name'],
);
const ofChange = compile<DraftChange>({
  name,
  ...settings,
  models: withoutDefault(models),
  disabled: withoutDefault(disabled),
});

const ROOT = ['key'] as const;
const describe = (error: ErrorObject, value: unknown): never => {
  const missing: unknown = error.params['missingProperty'];
  const { path, message } = describeViolation(error, [...ROOT, ...readPointer(error.instancePath, value)], {
    isInterpolated: () => false,
    isWritten: () => false,
  });
  const inside = typeof missing === 'string' ? [...path.slice(ROOT.length), missing] : path.slice(ROOT.length);
  throw invalidRequest(inside.length === 0 ? '' : describePath(inside), message);
};

/** @throws GatewayError `invalid_request` for the first invalid member */
const validate = <T>(validator: ValidateFunction<T>, value: unknown): T => {
  const draft: unknown = structuredClone(value);
  if (validator(draft)) return draft;
  const [error] = validator.errors ?? [];
  throw error === undefined ? invalidRequest('', 'The settings of the key are not valid.') : describe(error, draft);
};

const readEnd = ({ expires: text, expiresAt }: Draft): number | undefined => {
  if (text !== undefined && expiresAt !== undefined)
    throw invalidRequest('expires', 'key.expires and key.expiresAt are the same setting. Give one of them.');
  const end = text ?? expiresAt;
  if (end === undefined) return undefined;
  if (!isTime(end)) throw invalidRequest('expires', 'key.expires is not a valid date or time.');
  return parseExpiry(end);
};

/** They are listed and logged. */
const checkTexts = (draft: Draft): void => {
  for (const member of ['tags', 'metadata'] as const)
    for (const [entry, text] of Object.entries(draft[member] ?? {}))
      if (redactKeys(text) !== text)
        throw invalidRequest(
          `${member}.${entry}`,
          `key.${member}.${entry} looks like a secret, but ${member} appear in lists. Remove the secret.`,
        );
  if (draft.owner !== undefined && redactKeys(draft.owner) !== draft.owner)
    throw invalidRequest('owner', 'key.owner looks like a secret, but it appears in lists and logs. Give a name.');
};

const readSettings = (draft: Draft): Pick<KeySettings, 'limits' | 'expiresAt'> => {
  checkTexts(draft);
  return omitUndefined({
    limits: draft.limits === undefined ? undefined : readLimits(draft.limits, 'limits'),
    expiresAt: readEnd(draft),
  });
};

/**
 * Validates the settings of a new key from the admin API or the command line, by the schema of the file: `{ name,
 * organization?, project?, models?, limits?, losses?, vendorState?, costHeaders?, hostedTools?, tags?, metadata?,
 * owner?, expires?, allowUnknownProject? }`. The end can also be called `expiresAt`, as in the list of keys.
 * @param value parsed JSON; not modified
 * @throws GatewayError `invalid_request` for the first invalid member
 */
export function readKeyRequest(value: unknown): KeyRequest {
  const draft = validate(ofRequest(), value);
  const { limits: _limits, expires: _expires, expiresAt: _end, ...rest } = draft;
  return { ...rest, ...readSettings(draft) };
}

const removable: ReadonlySet<string> = new Set(Object.keys(settings));

/**
 * Validates a change of a key. It has members of a new key, except its organization and project, and `disabled`. Each
 * replaces the present one as a whole; null removes it.
 * @param value parsed JSON; not modified
 * @throws as {@link readKeyRequest}
 */
export function readKeyChange(value: unknown): KeyChange {
  if (!isObject(value)) throw invalidRequest('', 'A change of a key must be a JSON object, like {"disabled":true}.');
  const moved = ['organization', 'project'].find((member) => Object.hasOwn(value, member));
  if (moved !== undefined)
    throw invalidRequest(moved, `The ${moved} of a key cannot be changed. Create a key there, and revoke this one.`);
  const entries = Object.entries(value);
  const removed = entries.filter(([member, given]) => given === null && removable.has(member));
  const draft = validate(ofChange(), Object.fromEntries(entries.filter((entry) => !removed.includes(entry))));
  const { limits: _limits, expires: _expires, expiresAt: _end, ...rest } = draft;
  const nulls = Object.fromEntries(
    removed.map(([member]) => [member === 'expires' ? ('expiresAt' as const) : member, null]),
  );
  return { ...nulls, ...rest, ...readSettings(draft) };
}
