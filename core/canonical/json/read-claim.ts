import { isObject } from './members.ts';

/** A claim of a token by its name, which can contain dots (`https://acme.example/roles`), or by a path: `realm.roles`. */
export const readClaim = (claims: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split('.')
        .reduce<unknown>(
          (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
          claims,
        );

/**
 * Whether a token has a link in place of the values of a claim: Entra ID leaves out more than 200 groups.
 * https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference#groups-overage-claim
 */
export const isLeftOut = (claims: Readonly<Record<string, unknown>>, claim: string): boolean => {
  const links = claims['_claim_names'];
  return [claim, claim.split('.')[0] ?? ''].some(
    (name) =>
      claims[name] === undefined &&
      ((isObject(links) && links[name] !== undefined) || (name === 'groups' && String(claims['hasgroups']) === 'true')),
  );
};
