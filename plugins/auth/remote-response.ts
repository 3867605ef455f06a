import type { Caller, KeyRecord } from '../../core/api/index.ts';
import { isObject, type Members, omitUndefined, parseJson, readMembers } from '../../core/api/codec.ts';
import { isHostedToolsSetting, MAX_TAGS, readLimits, TAG_NAME, TAG_VALUE } from '../../core/api/internal.ts';

/** The same as in `gateway.yaml`: names become parts of metric labels, log fields and counter names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;
/** A date, or a time with its zone: without one, the time would depend on the host. */
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

const readName = (members: Members, name: string): string => {
  const text = members.requiredString(name);
  if (!NAME.test(text)) throw new Error(`'${name}' must consist of letters, digits and . _ @ -`);
  return text;
};

const readExpiry = (members: Members): { readonly expiresAt?: number } => {
  const text = members.string('expires');
  if (text === undefined) return {};
  const expiresAt = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(expiresAt))
    throw new Error("'expires' must be a date (2027-01-31) or a time with its zone (2027-01-31T12:00:00Z).");
  return { expiresAt };
};

const readTags = (members: Members): Caller['tags'] => {
  const tags = members.object('tags');
  const read = Object.keys(members.rawObject('tags') ?? {}).map((name) => [name, tags?.requiredString(name) ?? '']);
  if (read.length > MAX_TAGS) throw new Error(`'tags' must have at most ${MAX_TAGS} tags, not ${read.length}`);
  for (const [name = '', value = ''] of read) {
    if (!TAG_NAME.test(name))
      throw new Error("a name in 'tags' must have letters, digits, _ and -, 64 at most, and begin with a letter");
    if (!TAG_VALUE.test(value))
      throw new Error(`'tags.${name}' must be printable ASCII without commas, 128 characters at most`);
  }
  return read.length === 0 ? undefined : Object.fromEntries(read);
};

/** Names of other keys and users have none of their kind: they have no colon, or begin with another word. */
const SPACE = 'remote:';

const readUser = (members: Members): string | undefined => {
  const user = members.string('user');
  if (user === undefined) return undefined;
  if (user.trim() === '') throw new Error("'user' is empty; leave it out for a key without an end user");
  return SPACE + user;
};

const readHostedTools = (members: Members): Caller['hostedTools'] => {
  const value = members.value('hostedTools');
  if (value === undefined || isHostedToolsSetting(value)) return value;
  throw new Error(
    "'hostedTools' must be drop, refuse, a list of tools that can run at vendors (web_search), or an object with " +
      'allow and otherwise',
  );
};

const readCaller = (members: Members): Caller => {
  const losses = members.oneOf('losses', ['allow', 'warn', 'reject']);
  const vendorState = members.oneOf('vendorState', ['allow', 'owned', 'refuse']);
  const costHeaders = members.oneOf('costHeaders', ['off', 'on']);
  const hostedTools = readHostedTools(members);
  const limits = members.array('limits');
  return omitUndefined({
    key: SPACE + readName(members, 'key'),
    project: readName(members, 'project'),
    organization: readName(members, 'organization'),
    models: members.strings('models') ?? [],
    losses,
    vendorState,
    costHeaders,
    hostedTools,
    tags: readTags(members),
    user: readUser(members),
    limits: limits === undefined ? undefined : readLimits(limits, 'limits'),
  });
};

const readBody = (body: unknown, digest: Uint8Array): KeyRecord | undefined => {
  if (!isObject(body)) throw new Error('it is not a JSON object');
  const members = readMembers(body);
  const active = members.boolean('active');
  if (active === undefined) throw new Error("'active' is missing");
  return active ? { caller: readCaller(members), digest, disabled: false, ...readExpiry(members) } : undefined;
};

/**
 * Reads the response of the key service for the key with this digest.
 * @returns undefined when there is no such key
 * @throws Error for an invalid response, which counts as an outage of the service
 */
export function readRemoteResponse(status: number, body: Uint8Array, digest: Uint8Array): KeyRecord | undefined {
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`The key service responded with status ${status}.`);
  try {
    return readBody(parseJson(new TextDecoder().decode(body)), digest);
  } catch (thrown) {
    throw new Error(
      `The response of the key service is invalid: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    );
  }
}
