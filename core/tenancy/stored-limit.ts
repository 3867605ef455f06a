import { isObject } from '../canonical/json/members.ts';
import { isCalendarWindow, limitUnits, LONGEST_WINDOW, SHORTEST_WINDOW } from '../config/units/limit-units.ts';
import { TAG_NAME } from '../config/units/tags.ts';
import type { Limit, LimitUnit } from '../contracts/caller.ts';

const isAmount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
const isSlidingWindow = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= SHORTEST_WINDOW && Number(value) <= LONGEST_WINDOW;

const isWindow = (unit: unknown, per: unknown): boolean =>
  unit === 'concurrent' ? per === undefined : unit === 'cost' ? isCalendarWindow(per) : isSlidingWindow(per);
const isBurst = (unit: unknown, burst: unknown): boolean =>
  burst === undefined || (unit !== 'concurrent' && unit !== 'cost' && isAmount(burst));
const isShare = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < 1;
const isSoft = (unit: unknown, soft: unknown): boolean =>
  soft === undefined || (unit === 'cost' && Array.isArray(soft) && soft.every(isShare));
const isModels = (value: unknown): boolean =>
  Array.isArray(value) && value.every((model) => typeof model === 'string' && model !== '');

const isEach = (each: unknown): boolean =>
  each === undefined ||
  (typeof each === 'string' && (each === 'user' || (each.startsWith('tag:') && TAG_NAME.test(each.slice(4)))));

const units: readonly unknown[] = limitUnits satisfies readonly LimitUnit[];
const policies: readonly unknown[] = [undefined, 'local', 'allow', 'deny'] satisfies readonly Limit['onStoreFailure'][];
const members: ReadonlySet<string> = new Set([
  'unit',
  'amount',
  'per',
  'burst',
  'soft',
  'models',
  'each',
  'enforce',
  'onStoreFailure',
] satisfies readonly (keyof Limit)[]);

/** Whether a value of the database is a complete limit. A damaged one must not be treated as no limit. */
export const isLimit = (value: unknown): value is Limit =>
  isObject(value) &&
  Object.keys(value).every((name) => members.has(name)) &&
  units.includes(value['unit']) &&
  isAmount(value['amount']) &&
  isWindow(value['unit'], value['per']) &&
  isBurst(value['unit'], value['burst']) &&
  isSoft(value['unit'], value['soft']) &&
  isModels(value['models']) &&
  isEach(value['each']) &&
  typeof value['enforce'] === 'boolean' &&
  policies.includes(value['onStoreFailure']);
