import type { Check } from '../check.ts';
import { entries, member } from '../tolerant.ts';

/** What the gateway does not know at a provider could be another organization's. */
export const checkSharedState: Check = ({ data }) => {
  const organizations = entries(member(data, 'organizations'));
  if (member(data, 'vendorState') !== 'allow' || organizations.length < 2) return [];
  return [
    {
      path: ['vendorState'],
      severity: 'error',
      rule: 'shared-vendor-state',
      message:
        `vendorState: allow lets each of the ${organizations.length} organizations use files, caches and ` +
        'conversations of the others at a provider. Remove it, or set it on the routes or keys that may share them.',
    },
  ];
};
