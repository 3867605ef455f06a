import { hostedToolKinds, type HostedToolKind } from '../../canonical/tool.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { HostedToolsPolicy, HostedToolsSetting } from '../../contracts/caller.ts';

const kinds: readonly string[] = hostedToolKinds;
const isKind = (value: unknown): value is HostedToolKind => typeof value === 'string' && kinds.includes(value);
const isPolicy = (value: unknown): value is HostedToolsPolicy => value === 'drop' || value === 'refuse';
const isList = (value: unknown): value is readonly HostedToolKind[] => Array.isArray(value) && value.every(isKind);

/** Whether a value from a database or another service is a setting `hostedTools`, as the schema of the file has it. */
export function isHostedToolsSetting(value: unknown): value is HostedToolsSetting {
  if (isPolicy(value) || isList(value)) return true;
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([name, member]) => (name === 'allow' && isList(member)) || (name === 'otherwise' && isPolicy(member)),
  );
}
