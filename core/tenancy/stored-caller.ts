import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Caller } from '../contracts/caller.ts';
import type { StoredKey } from './key-row.ts';
import { rightsOf } from './rights.ts';

type Named = Pick<StoredKey, 'name' | 'organization' | 'project' | 'owner' | 'ownerId'> & Partial<StoredKey>;

/**
 * The caller that a key of the database identifies. People choose the names of their keys, which therefore have a space
 * of their own: a key of the configuration that comes later with the same name shares neither limits nor usage. The
 * same applies to owners, whom no request can name as its user.
 */
export const callerOf = ({ name, organization, project, owner, ownerId, models = [], ...stored }: Named): Caller =>
  omitUndefined<Caller>({
    key: ownerId === undefined ? name : `personal:${name}`,
    project,
    organization,
    ...rightsOf({ ...stored, models }),
    user: owner === undefined ? undefined : `owner:${owner}`,
    personal: ownerId === undefined ? undefined : true,
  });
