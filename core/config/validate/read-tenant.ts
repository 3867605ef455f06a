import { isObject } from '../../canonical/json/members.ts';
import type { Limit } from '../../contracts/caller.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { readLimits } from './read-limits.ts';

/** A new organization or project. */
export interface TenantRequest {
  readonly organization: string;
  /** Absent: the organization itself. */
  readonly project?: string;
  readonly limits: readonly Limit[];
  readonly keyLimits?: readonly Limit[];
}

/** New limits. An absent member stays as it is; null removes `keyLimits`. */
export interface TenantUpdate {
  readonly limits?: readonly Limit[];
  readonly keyLimits?: readonly Limit[] | null;
}

/** As names in the file. A member of this one name would be the prototype of an object. */
const NAME = /^(?!__proto__$)[A-Za-z0-9._@-]{1,128}$/;
const LIMITS: readonly string[] = ['limits', 'keyLimits'];

const checkMembers = (value: unknown, known: readonly string[], example: string): Readonly<Record<string, unknown>> => {
  if (!isObject(value)) throw invalidRequest('', `The body must be a JSON object, like ${example}.`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(unknown.slice(0, 64), `Unknown member. The members are ${known.join(', ')}.`);
  return value;
};

const readName = (value: unknown, member: string): string => {
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw invalidRequest(member, `${member} must be a name of at most 128 letters, digits and . _ @ -`);
};

/**
 * Validates `{ organization, project?, limits?, keyLimits? }`. Limits have the form of the file.
 * @throws GatewayError `invalid_request` for the first invalid member
 */
export function readTenantRequest(value: unknown): TenantRequest {
  const example = '{"organization":"acme","project":"web","limits":[{"cost":50,"per":"month"}]}';
  const { organization, project, limits, keyLimits } = checkMembers(
    value,
    ['organization', 'project', ...LIMITS],
    example,
  );
  return {
    organization: readName(organization, 'organization'),
    ...(project === undefined ? {} : { project: readName(project, 'project') }),
    limits: limits === undefined ? [] : readLimits(limits, 'limits'),
    ...(keyLimits === undefined ? {} : { keyLimits: readLimits(keyLimits, 'keyLimits') }),
  };
}

/** Validates `{ limits?, keyLimits? }`. @throws as {@link readTenantRequest} */
export function readTenantUpdate(value: unknown): TenantUpdate {
  const { limits, keyLimits } = checkMembers(value, LIMITS, '{"limits":[{"cost":50,"per":"month"}]}');
  return {
    ...(limits === undefined ? {} : { limits: readLimits(limits, 'limits') }),
    ...(keyLimits === undefined ? {} : { keyLimits: keyLimits === null ? null : readLimits(keyLimits, 'keyLimits') }),
  };
}
