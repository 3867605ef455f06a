import type { Caller } from '../../contracts/caller.ts';
import type { StoredObjects } from '../../contracts/exchange.ts';
import type { VendorStatePolicy } from '../../contracts/request-members.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { StateLocation } from '../../services/vendor-state/records.ts';
import type { StoredObject, VendorState } from '../../services/vendor-state/vendor-state.ts';
import type { FoundReference } from './vendor-references.ts';

/** Objects that one request can refer to: each is looked up. */
const MAX_OBJECTS = 1_000;

/** It is enough that the route or the key allows what is unknown; it is also enough that one of them refuses all. */
const choosePolicy = (policies: readonly (VendorStatePolicy | undefined)[]): VendorStatePolicy =>
  policies.includes('allow') ? 'allow' : policies.includes('refuse') ? 'refuse' : 'owned';

const refuse = (path: string): GatewayError =>
  invalidRequest(
    path,
    `'${path}' refers to something stored at the provider, and vendorState: refuse of the key, its route or the file ` +
      'forbids that. Send the content itself.',
  );

/** The same for unknown objects and those of other projects: ids cannot be probed. */
const notFound = (path: string): GatewayError =>
  new GatewayError(
    'not_found',
    `'${path}' refers to something stored at the provider that this gateway has not seen created for this project, ` +
      'or that has expired. Send the content itself. What was created with store: false is not kept. ' +
      'If the callers here may share everything that is stored with ' +
      "the gateway's credentials, the operator can set vendorState: allow in gateway.yaml, of the key or the route, " +
      'or of the file if it has one organization.',
    { param: path },
  );

const twoPlaces = (path: string, other: string): GatewayError =>
  invalidRequest(
    path,
    `'${path}' and '${other}' refer to things that were created with different credentials of the gateway, and no ` +
      'single credential finds both. Send the content of one of them itself.',
  );

const isSame = (one: StateLocation, other: StateLocation): boolean =>
  one.provider === other.provider && one.credential === other.credential;

/** The same for unknown responses and those of other projects. */
export const noResponse = (): GatewayError =>
  new GatewayError(
    'not_found',
    'There is no response with this id that this gateway has seen created for the project of the key, or it has ' +
      'expired. A response that was created with store: false, or by a vendor that stores nothing, is not kept.',
  );

/**
 * Where a response is stored that a client names by its id in the path; undefined: nowhere. What the gateway has not
 * seen created has no place, whatever the policy.
 * @param policies of the route and the key
 * @throws GatewayError 404 if the response belongs to another project; 503 if the records cannot be read
 */
export async function findStored(
  state: VendorState,
  caller: Caller,
  id: string,
  policies: readonly (VendorStatePolicy | undefined)[],
): Promise<StateLocation | undefined> {
  const [object] = choosePolicy(policies) === 'refuse' ? [] : await state.find(caller, [id]);
  if (object === 'foreign') throw noResponse();
  return object === 'unknown' ? undefined : object;
}

/** The one place that has all known objects. @throws GatewayError 404, or 400 if there are two places */
const findLocation = (
  references: readonly FoundReference[],
  objects: ReadonlyMap<string, StoredObject>,
  isOpen: boolean,
): StoredObjects['place'] => {
  let place: StoredObjects['place'];
  for (const { path, id, creates, without } of references) {
    if (creates) continue;
    const object = id === undefined ? 'unknown' : (objects.get(id) ?? 'unknown');
    if (object === 'foreign' || (object === 'unknown' && !isOpen && without !== 'complete')) throw notFound(path);
    if (object === 'unknown' || without !== undefined) continue;
    if (place !== undefined && !isSame(place, object)) throw twoPlaces(path, place.path);
    place ??= { path, provider: object.provider, credential: object.credential };
  }
  return place;
};

/**
 * Checks what a request refers to at a vendor: the project of its caller must own it. The body is read, not the
 * canonical request, because the native lane sends the body.
 * @param references at least one
 * @param policies of the route and the key
 * @returns a promise only if the records are in another process
 * @throws GatewayError 400 or 404 that names the member; 503 if the records cannot be read
 */
export function checkStoredObjects(
  state: VendorState,
  caller: Caller,
  references: readonly FoundReference[],
  policies: readonly (VendorStatePolicy | undefined)[],
): StoredObjects | Promise<StoredObjects> {
  const policy = choosePolicy(policies);
  const first = policy === 'refuse' ? references.find(({ without }) => without !== 'complete') : undefined;
  if (first !== undefined) throw refuse(first.path);
  const ids = [...new Set(references.flatMap(({ id }) => id ?? []))];
  if (ids.length > MAX_OBJECTS)
    throw invalidRequest('', `A request can refer to at most ${MAX_OBJECTS} things that are stored at the provider.`);
  const read = (found: readonly StoredObject[]): StoredObjects => {
    const objects = new Map(found.map((object, index) => [ids[index] ?? '', object]));
    return { ids, place: findLocation(references, objects, policy === 'allow') };
  };
  const found = ids.length === 0 ? [] : state.find(caller, ids);
  return found instanceof Promise ? found.then(read) : read(found);
}
