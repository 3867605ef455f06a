import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { foldName, type References, type VendorStatePolicy } from '../../contracts/request-members.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';

/** A name that can be another spelling of a name in lower case. */
const SPELLED = /[^a-z0-9]/;

const findInValue = (value: unknown, references: References, path: string): string | undefined => {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      const found = findInValue(entry, references, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (value === undefined) return undefined;
  if (references.isReference?.(value) === true) return path;
  return isObject(value) ? findInObject(value, references, `${path}.`) : undefined;
};

const findInObject = (object: Readonly<JsonObject>, { members }: References, prefix: string): string | undefined => {
  if (members.size === 0) return undefined;
  for (const name of Object.keys(object)) {
    const references = members.get(name) ?? (SPELLED.test(name) ? members.get(foldName(name)) : undefined);
    const found = references === undefined ? undefined : findInValue(object[name], references, prefix + name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** The path of the first member that refers to something stored at the vendor. */
export const findReference = (body: unknown, references: References): string | undefined =>
  isObject(body) ? findInObject(body, references, '') : undefined;

/**
 * Refuses references to objects that are stored at a provider, such as files and responses, unless the route or the key
 * allows them. The provider sees the same credential for all callers, and the gateway does not know which caller
 * created an object.
 * @throws GatewayError 400 that names the member
 */
export function checkReferences(
  body: unknown,
  references: References | undefined,
  policies: readonly (VendorStatePolicy | undefined)[],
): void {
  if (references === undefined || policies.includes('allow')) return;
  const path = findReference(body, references);
  if (path === undefined) return;
  throw invalidRequest(
    path,
    `'${path}' refers to something stored at the provider, which can belong to another caller: all callers share the ` +
      "gateway's credential there. Send the content itself. If the callers here may share such content, the operator " +
      'can set vendorState: allow on the key or on the route.',
  );
}
