import { describePath } from '../describe-path.ts';
import type { Check } from '../checks/check.ts';
import { collectKeys } from '../checks/keys.ts';
import { member } from '../checks/tolerant.ts';

/** A key that leaks unnoticed gives access until it expires. */
export const auditKeys: Check = ({ data }) =>
  collectKeys(data)
    .filter(({ key }) => member(key, 'expires') === undefined && member(key, 'disabled') !== true)
    .map(({ path }) => ({
      path,
      on: 'key',
      rule: 'key-without-expiry',
      message: `${describePath(path)} never expires. Set "expires" to a date, such as 2027-12-31.`,
    }));
