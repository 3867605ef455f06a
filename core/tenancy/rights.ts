import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { nameIssuer } from '../canonical/text/issuer-name.ts';
import type { KeyRequest } from '../config/validate/read-key.ts';
import type { Caller } from '../contracts/caller.ts';

/** What a key is allowed to do. */
export type Rights = Pick<
  Caller,
  'models' | 'limits' | 'losses' | 'vendorState' | 'costHeaders' | 'hostedTools' | 'tags'
>;

/** Extracts the rights of a key. */
export const rightsOf = ({ models, limits, losses, vendorState, costHeaders, hostedTools, tags }: Rights): Rights =>
  omitUndefined({ models, limits, losses, vendorState, costHeaders, hostedTools, tags });

/** A key of the database, as far as it says on whose behalf a request is made. */
type OwnedKey = Pick<KeyRequest, 'name' | 'organization' | 'project' | 'owner'> &
  Partial<Rights> & { readonly ownerId?: string };

/** A person as a user, by issuer and subject: names of people change, and two people can have the same. */
const userOf = (id: string): string => {
  const space = id.indexOf(' ');
  return `owner:${nameIssuer(id.slice(0, space))}:${id.slice(space + 1)}`;
};

/**
 * The caller that a key of the database identifies. People choose the names of their keys, which therefore have a space
 * of their own: a key of the configuration that comes later with the same name shares neither limits nor usage. The
 * same applies to owners, whom no request can name as its user. The owner of a personal key is known by issuer and
 * subject, and that of another key by the name that an operator wrote.
 */
export const callerOf = ({ name, organization, project, owner, ownerId, models = [], ...stored }: OwnedKey): Caller =>
  omitUndefined<Caller>({
    ...rightsOf({ ...stored, models }),
    project,
    organization,
    ...(ownerId === undefined
      ? { key: name, user: owner === undefined ? undefined : `owner:${owner}` }
      : { key: `personal:${name}`, user: userOf(ownerId), personal: true }),
  });
