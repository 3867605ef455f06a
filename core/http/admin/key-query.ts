import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { AdminRequest } from '../../contracts/admin.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { parseJson } from '../../framing/json.ts';
import {
  isKeyPosition,
  keySorts,
  keyStates,
  type KeyPosition,
  type KeyQuery,
  type KeySort,
} from '../../tenancy/key-page.ts';
import { checkParameters, readChoice, readLimit } from './query.ts';

const MOST = 1_000;
const DEFAULT = 500;

/** The parameters of GET /admin/keys, and what they select. */
export const keyParameters = {
  organization: 'Only keys of this organization.',
  project: 'Only keys of projects with this name.',
  owner: 'Only keys of this person: the name of the owner, or the owner id.',
  find: 'Only keys with this text in organization/project/name, the id, the prefix or the owner.',
  state: `Only keys in one of these states, separated by commas: ${keyStates.join(', ')}.`,
  sort: `The order: ${keySorts.join(', ')}. Default: created, the keys of the configuration first.`,
  limit: `The number of keys, at most 1,000. Default: ${DEFAULT}.`,
  cursor: 'The "next" of the previous page, with the same other parameters.',
} as const;
const names = Object.keys(keyParameters);

export const writeKeyCursor = (sort: KeySort, position: KeyPosition): string =>
  Buffer.from(JSON.stringify([sort, ...position])).toString('base64url');

const readCursor = (sort: KeySort, given: string | undefined): KeyPosition | undefined => {
  if (given === undefined) return undefined;
  const read = parseJson(Buffer.from(given, 'base64url').toString());
  const [first, ...position] = Array.isArray(read) ? (read as readonly unknown[]) : [];
  if (first === sort && isKeyPosition(sort, position)) return position;
  throw invalidRequest('cursor', 'cursor must be the "next" of an earlier response with the same sort.');
};

/** @param now unix milliseconds, for the states @throws GatewayError `invalid_request` */
export const readKeyQuery = ({ query }: Pick<AdminRequest, 'query'>, now: number): KeyQuery => {
  checkParameters(query, names);
  const { organization, project, owner, find } = query;
  const sort = readChoice('sort', query['sort'], keySorts) ?? 'created';
  const states = query['state']?.split(',').flatMap((state) => readChoice('state', state.trim(), keyStates) ?? []);
  return omitUndefined({
    organization,
    project,
    owner,
    find: find === '' ? undefined : find,
    states,
    after: readCursor(sort, query['cursor']),
    sort,
    limit: readLimit(query, DEFAULT, MOST),
    now,
  });
};
