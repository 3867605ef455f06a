import { createHmac, hash } from 'node:crypto';
import { memoize } from '../../canonical/text/memoize.ts';
import { excerpt, redactKeys } from '../../canonical/text/redact.ts';
import type { Headers } from '../../canonical/wire.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { MAX_TAGS, TAG_NAME, TAG_VALUE } from '../../config/units/tags.ts';
import type { Attribution, Caller } from '../../contracts/caller.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';

/** The header that names the end user. */
export const USER_HEADER = 'x-koine-user';
/** The header with tags: `team=search,env=prod`. */
export const TAGS_HEADER = 'x-koine-tags';

/** Longest name of an end user. */
const USER_LENGTH = 128;
/** Hexadecimal digits of a digest in place of a name: 128 bits. */
const DIGEST_LENGTH = 32;

type Tags = Readonly<Record<string, string>>;
type NameUser = (user: string) => string;

/** Whom the usage of a request is attributed to. Created once per configuration. */
export interface Attribute {
  /** Projects have tags, so that requests without a header can have some too. Keys have theirs in the caller. */
  readonly hasTags: boolean;
  /**
   * @param user from the body, in the member of the client's wire
   * @throws GatewayError 400 that names a malformed header
   */
  of(headers: Headers, caller: Caller, user: string | undefined): Attribution | undefined;
}

const isPrintable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** @returns undefined if the header is absent or empty */
const readUser = (header: string | undefined): string | undefined => {
  const user = header?.trim() ?? '';
  if (user === '') return undefined;
  const flaw = !isPrintable(user)
    ? 'has characters outside printable ASCII; percent-encode them'
    : user.includes(',')
      ? 'names several users; send the header once, without a comma'
      : user.length > USER_LENGTH
        ? `has ${user.length} characters; send an id of at most ${USER_LENGTH}`
        : undefined;
  if (flaw !== undefined) throw invalidRequest(USER_HEADER, `The header ${USER_HEADER} ${flaw}.`);
  return user;
};

const refuseTags = (flaw: string): never => {
  throw invalidRequest(
    TAGS_HEADER,
    `The header ${TAGS_HEADER} ${flaw}. Write it as team=search,env=prod: at most ${MAX_TAGS} tags, names of ` +
      'letters, digits, _ and - that begin with a letter (64 characters), values of printable ASCII without ' +
      'commas (128).',
  );
};

const readTags = (header: string): Tags => {
  const tags: Record<string, string> = {};
  for (const part of header.split(',')) {
    const text = part.trim();
    if (text === '') continue;
    const mark = text.indexOf('=');
    const [name, value] = [text.slice(0, Math.max(0, mark)).trim(), text.slice(mark + 1).trim()];
    if (mark === -1) refuseTags(`has a tag without a value: ${JSON.stringify(excerpt(text, 64))}`);
    if (!TAG_NAME.test(name)) refuseTags(`has an invalid name: ${JSON.stringify(excerpt(name, 64))}`);
    if (!TAG_VALUE.test(value)) refuseTags(`has an invalid value for ${name}`);
    if (Object.hasOwn(tags, name)) refuseTags(`has the tag "${name}" twice`);
    tags[name] = value;
  }
  return tags;
};

const digestOf = (user: string): string => `sha256:${hash('sha256', user).slice(0, DIGEST_LENGTH)}`;

/** What the names of users begin with that a key or a token proves: {@link Caller.user}. */
const PROVEN = /^(?:jwt|remote|owner|plugin):/;
export const isProven = (user: string): boolean => PROVEN.test(user);
/** A name that only looks like one: letters of other widths and invisible characters count as what they look like. */
const looksProven = (user: string): boolean =>
  PROVEN.test(
    user
      .normalize('NFKC')
      .replaceAll(/[\p{Cf}\s]/gu, '')
      .toLowerCase(),
  );

/** A name that is too long, or looks like a secret, is recorded as a digest, which still is different for each user. */
const namePlainly: NameUser = (user) => {
  if (user.length <= USER_LENGTH && redactKeys(user) === user) return user;
  const [space = ''] = PROVEN.exec(user) ?? [];
  return space + digestOf(user);
};

const createNameUser = ({ user: policy, secret = '' }: GatewayConfig['attribution'], proven: boolean): NameUser =>
  memoize((user) => {
    const clean = user
      .replaceAll(/\p{Cc}/gu, '')
      .toWellFormed()
      .trim();
    if (clean === '' || policy === 'ignore') return '';
    const own = proven || !looksProven(clean) ? clean : digestOf(clean);
    return policy === 'plain'
      ? namePlainly(own)
      : createHmac('sha256', secret).update(own).digest('hex').slice(0, DIGEST_LENGTH);
  });

/** The tags of a key replace those of its project by name. */
const createTagsOf = (organizations: GatewayConfig['organizations']): ((caller: Caller) => Tags | undefined) => {
  const tagsOfProject = ({ organization, project }: Caller): Tags | undefined => {
    const projects = Object.hasOwn(organizations, organization) ? organizations[organization]?.projects : undefined;
    return projects !== undefined && Object.hasOwn(projects, project) ? projects[project]?.tags : undefined;
  };
  const known = new WeakMap<Caller, { readonly tags: Tags | undefined }>();
  return (caller) => {
    const found = known.get(caller);
    if (found !== undefined) return found.tags;
    const merged = { ...tagsOfProject(caller), ...caller.tags };
    const tags = Object.keys(merged).length === 0 ? undefined : merged;
    known.set(caller, { tags });
    return tags;
  };
};

const hasTags = (organizations: GatewayConfig['organizations']): boolean =>
  Object.values(organizations).some(({ projects }) => Object.values(projects).some(({ tags }) => tags !== undefined));

/** Tags of the configuration are the operator's word: a client cannot replace them. */
const mergeTags = (sent: string | undefined, configured: Tags | undefined): Tags | undefined => {
  if (sent === undefined) return configured;
  const read = Object.entries(readTags(sent)).map(([name, value]) => [name, redactKeys(value)] as const);
  const tags = { ...Object.fromEntries(read), ...configured };
  const count = Object.keys(tags).length;
  const own = Object.keys(configured ?? {}).length;
  if (count > MAX_TAGS) refuseTags(`has too many tags: with ${own} of the key they are ${count}`);
  return count === 0 ? undefined : tags;
};

/** Creates what attributes the requests of one configuration: docs/govern/attribution.md. */
export function createAttribute({
  attribution,
  organizations,
}: Pick<GatewayConfig, 'attribution' | 'organizations'>): Attribute {
  const nameProven = createNameUser(attribution, true);
  const nameSent = createNameUser(attribution, false);
  const tagsOf = createTagsOf(organizations);
  return {
    hasTags: hasTags(organizations),
    of(headers, caller, sent) {
      const named = caller.user === undefined ? (readUser(headers[USER_HEADER]) ?? sent) : undefined;
      const user = caller.user === undefined ? nameSent(named ?? '') : nameProven(caller.user);
      const tags = mergeTags(headers[TAGS_HEADER], tagsOf(caller));
      if (user === '' && tags === undefined) return undefined;
      return { ...(user === '' ? {} : { user }), ...(tags === undefined ? {} : { tags }) };
    },
  };
}
