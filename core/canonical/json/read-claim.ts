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
