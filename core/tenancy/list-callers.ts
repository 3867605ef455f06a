import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Caller, CallerFilter, CallerPage } from '../contracts/caller.ts';
import type { Clock } from '../contracts/services.ts';
import { invalidRequest } from '../errors/gateway-error.ts';
import { parseJson } from '../framing/json.ts';
import { isKeyPosition, type KeyPosition, type KeyQuery, type Positioned } from './key-page.ts';
import type { KeyTable, StoredKey } from './key-table.ts';
import type { ConfiguredKey } from './listed-key.ts';
import { mergePages, type ConfiguredPages } from './lookup/configured-pages.ts';
import { callerOf } from './rights.ts';

interface Parts {
  readonly configured: Pick<ConfiguredPages, 'read'>;
  readonly table: Pick<KeyTable, 'page'>;
  readonly clock: Pick<Clock, 'now'>;
}

const SORT = 'name';

const readPosition = (after: string | undefined): KeyPosition | undefined => {
  if (after === undefined) return undefined;
  const position = parseJson(after);
  if (Array.isArray(position) && isKeyPosition(SORT, position)) return position;
  throw invalidRequest('after', 'The position of a page must be the "next" of the page before.');
};

const describe = (key: ConfiguredKey | StoredKey): Caller => {
  if (!('config' in key)) return callerOf(key);
  const { models, limits } = key.config;
  return omitUndefined({ key: key.name, project: key.project, organization: key.organization, models, limits });
};

/**
 * A page of the callers with a valid key, of the configuration and of the database.
 * @throws GatewayError `KOINE_STORE_FAILED`; `invalid_request` for an `after` that is no `next`
 */
export async function listCallers({ configured, table, clock }: Parts, filter: CallerFilter): Promise<CallerPage> {
  const { organization, project, name, ownerId, after, limit } = filter;
  const query: KeyQuery = omitUndefined({
    organization,
    project,
    name,
    owner: ownerId,
    states: ['active'] as const,
    sort: SORT,
    after: readPosition(after),
    limit,
    now: clock.now(),
  });
  const [own, stored] = [configured.read(query), await table.page(query)];
  const page = mergePages(own, stored, query);
  // A name of an owner can be the id of another one.
  const isWanted = ({ key }: Positioned<ConfiguredKey | StoredKey>): boolean =>
    ownerId === undefined || ('ownerId' in key && key.ownerId === ownerId);
  return omitUndefined({
    callers: page.filter(isWanted).map(({ key }) => describe(key)),
    next: page.length < limit ? undefined : JSON.stringify(page.at(-1)?.position),
  });
}
