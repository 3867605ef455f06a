import { isObject } from '../../canonical/json/members.ts';
import type { Model } from '../../catalog/catalog.ts';
import { foldName } from '../../contracts/request-members.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';

/** SDK users put members that the SDK does not have under this name, and some servers merge it into the body. */
const EXTRA = 'extrabody';

const findMember = (
  body: Readonly<Record<string, unknown>>,
  refused: ReadonlyMap<string, string>,
  prefix = '',
): string | undefined => {
  for (const name in body) {
    const folded = foldName(name);
    const value = body[name];
    if (refused.has(folded)) return prefix + name;
    const inner =
      folded === EXTRA && prefix === '' && isObject(value) ? findMember(value, refused, `${name}.`) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};

/**
 * Refuses members with which a provider would use other models, providers or addresses than the catalog's: allow-lists,
 * prices and limits would not apply to them.
 * @throws GatewayError 400 that names the member
 */
export function checkDestinations(body: unknown, { id, refused }: Pick<Model, 'id' | 'refused'>): void {
  if (refused.size === 0 || !isObject(body)) return;
  const path = findMember(body, refused);
  if (path === undefined) return;
  const provider = refused.get(foldName(path.slice(path.indexOf('.') + 1))) ?? '';
  throw invalidRequest(
    path,
    `'${path}' would choose models, providers or addresses behind ${id}, past the gateway's catalog, prices and ` +
      'limits. Leave it out, or name the model that you want. The operator can allow it by ' +
      `providers.${provider}.acceptMembers.`,
  );
}
