import type { OfferedModel } from '../../contracts/extension.ts';
import { matchesWildcard } from '../../config/wildcards.ts';

/** The vendor's list of models against the targets of the configuration. Names are those at the vendor. */
export interface OfferComparison {
  /** Names in targets that the vendor lists, by themselves or as versions with a date. */
  readonly offered: readonly string[];
  /** Names in targets that the vendor does not list. */
  readonly gone: readonly string[];
  /** Names in targets that the vendor plans to end. */
  readonly ending: readonly { readonly name: string; readonly ends: string }[];
  /** Models without a target. */
  readonly fresh: readonly OfferedModel[];
  /** Models without a target of their own that a wildcard target covers. */
  readonly covered: readonly OfferedModel[];
  /** Versions with a date of other models; not in `fresh`. */
  readonly dated: readonly string[];
  /** Models for which the gateway has no operation; not in `fresh`. */
  readonly others: readonly string[];
}

/** The date at the end of a version: `-20251001`, `@20251001`, `-2025-10-01`, `-1001`. */
const DATE = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{4})$/;
const withoutDate = (name: string): string => name.replace(DATE, '');

/** @param targets names of the provider's models in targets, with wildcards */
export function compareOffer(models: readonly OfferedModel[], targets: readonly string[]): OfferComparison {
  const names = new Set(models.map(({ name }) => name));
  // Vendors accept a name without a date as the newest version, and some do not list it.
  const listed = new Set([...names, ...[...names].map(withoutDate)]);
  const exact = targets.filter((name) => !name.includes('*'));
  const wildcards = targets.filter((name) => name.includes('*'));
  const used = new Set(exact);
  const free = models.filter(({ name }) => !used.has(name));
  const isDated = ({ name }: OfferedModel): boolean => {
    const whole = withoutDate(name);
    return whole !== name && (names.has(whole) || used.has(whole));
  };
  const isOther = ({ operations }: OfferedModel): boolean => operations?.length === 0;
  const usable = free.filter((model) => !isOther(model) && !isDated(model));
  const isCovered = ({ name }: OfferedModel): boolean => wildcards.some((wildcard) => matchesWildcard(wildcard, name));
  return {
    offered: exact.filter((name) => listed.has(name)),
    gone: exact.filter((name) => !listed.has(name)),
    ending: models.flatMap(({ name, ends }) => (ends !== undefined && used.has(name) ? [{ name, ends }] : [])),
    fresh: usable.filter((model) => !isCovered(model)),
    covered: usable.filter(isCovered),
    dated: free.filter((model) => !isOther(model) && isDated(model)).map(({ name }) => name),
    others: free.filter(isOther).map(({ name }) => name),
  };
}
